import type { AuthError, ErrorCause } from '../../errors/classes.ts'
import type { Failed, OAuthFailureReason } from '../../oauth/failure.ts'

/** Converts a protocol failure to an error of the public error table, with its cause and its reason for the log. */
export function toAuthError(
  Type: new (error: Error, cause: ErrorCause) => AuthError,
  { failed }: Failed,
  provider: string,
): AuthError {
  return new Type(failed.error, { provider, reason: failed.reason })
}

/** The events of failures that any request to a provider can have, whatever it is for. */
const common = {
  'hook-failed': 'hook.failed',
  'insecure-url': 'provider.misconfigured',
  misconfigured: 'provider.misconfigured',
  'timed-out': 'provider.unreachable',
  unreachable: 'provider.unreachable',
} as const satisfies Partial<Record<OAuthFailureReason, string>>

/** The additional events of a step that sends requests to a provider. */
export const unavailability = {
  'hook.failed': ['failure'],
  'provider.misconfigured': ['failure'],
  'provider.unreachable': ['failure'],
} as const

/** Returns the event of a failure: one of `unavailability`, or else the step's own. */
export function nameFailure<const Own extends string>(
  { failed: { reason } }: Failed,
  own: Own,
): Own | keyof typeof unavailability {
  return reason in common ? common[reason as keyof typeof common] : own
}
