import { asError } from '../errors/as-error.ts'
import { escapeControls } from '../text/escape-controls.ts'

/**
 * Why a request to the provider failed. Reasons that the provider states have the name of the event in the chart. The
 * other reasons say why there is no usable response. The caller knows which request it sent.
 */
export type OAuthFailureReason =
  /** An option is missing, or options contradict each other. */
  | 'misconfigured'
  /** A URL of the provider is neither https nor on a loopback host (decision 11). */
  | 'insecure-url'
  /** A function of the configuration threw. */
  | 'hook-failed'
  /** The provider could not be reached. */
  | 'unreachable'
  /** The provider took longer than `timeout`. */
  | 'timed-out'
  /** The response is larger than the size limit. */
  | 'oversize'
  /** The discovery document is invalid. */
  | 'discovery-refused'
  /** The key set is invalid. */
  | 'keys-refused'
  /** The provider rejected the pushed authorization request. */
  | 'push-refused'
  /** `state` differs from the one sent. */
  | 'state.mismatched'
  /** `iss` differs from the expected issuer. */
  | 'issuer.mismatched'
  /** The authorization response has an unexpected type. */
  | 'response.malformed'
  /** The provider or the user declined. `code` is the reason. */
  | 'authorization.declined'
  /** The token endpoint rejected the code. */
  | 'code.refused'
  /** The token response is invalid. */
  | 'tokens.malformed'
  /** A claim of the id_token is invalid. */
  | 'claims.invalid'
  /** The id_token or userinfo is not signed by the issuer. */
  | 'signature-invalid'
  /** The userinfo response is invalid. */
  | 'userinfo-refused'
  /** The userinfo belongs to another user. */
  | 'subject-mismatched'
  /** The profile cannot be mapped to a user. */
  | 'profile.unusable'

/** An expected failure, as data. */
export interface OAuthFailure<Reason = OAuthFailureReason> {
  readonly reason: Reason
  /**
   * For the log: what was expected and received, without tokens, codes or secrets. Its cause is the error of a hook, a
   * callback or the network.
   */
  readonly error: Error
  /** With `authorization.declined`: the provider's error code if it is a registered one, otherwise `other`. */
  readonly code?: string
}

export interface Failed<Reason = OAuthFailureReason> {
  readonly failed: OAuthFailure<Reason>
}

/** Creates a failure with a message for the log. */
export function fail<const Reason extends OAuthFailureReason>(
  reason: Reason,
  message: string,
  cause?: unknown,
): Failed<Reason> {
  const options = cause === undefined ? undefined : { cause: asError(cause) }
  return { failed: { reason, error: new Error(message, options) } }
}

/** Returns whether a call failed. */
export function hasFailed(answer: object): answer is Failed {
  return 'failed' in answer
}

/** Formats a provider's value for a log: quoted, on one line, without invisible characters, and short. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 120 ? `${escapeControls(text.slice(0, 120))}…` : escapeControls(text)
}
