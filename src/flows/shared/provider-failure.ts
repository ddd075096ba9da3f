import type { AuthError, ErrorCause } from '../../errors/classes.ts'
import type { Failed, OAuthFailureReason } from '../../oauth/failure.ts'

type ErrorOfProvider = new (error: Error, cause: ErrorCause) => AuthError

/** Converts a protocol failure to an error of the public error table, with its cause and its reason for the log. */
export function toAuthError(Type: ErrorOfProvider, { failed }: Failed, provider: string): AuthError {
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

/** Reports a failure as one of `unavailability`, or else as the step's own event. */
export function reportFailure<const Own extends string>(
  own: Own,
  Type: ErrorOfProvider,
  failure: Failed,
  provider: string,
): { readonly type: Own | keyof typeof unavailability; readonly failure: AuthError } {
  const { reason } = failure.failed
  const type = reason in common ? common[reason as keyof typeof common] : own
  return { type, failure: toAuthError(Type, failure, provider) }
}
