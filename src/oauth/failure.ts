/** Why a call at the provider did not do what it was for. The caller maps it to an event of its chart. */
export type OAuthFailureReason =
  /** The configuration lacks something, or holds what does not work together. */
  | 'misconfigured'
  /** A URL of the provider is neither https nor of a loopback host (decision 11). */
  | 'insecure-url'
  /** The provider could not be reached. */
  | 'unreachable'
  /** The provider took longer than `timeout`. */
  | 'timed-out'
  /** The provider answered more than the size limit. */
  | 'oversize'
  /** The discovery document cannot be used. */
  | 'discovery-refused'
  /** A response parameter came twice. */
  | 'response-ambiguous'
  /** `state` is not the one that was sent. */
  | 'state-mismatched'
  /** `iss` is not the issuer that was asked. */
  | 'issuer-mismatched'
  /** The authorization response is of a kind that was not asked for. */
  | 'response-malformed'
  /** The provider, or the user there, said no; `code` tells how. */
  | 'denied'
  /** The token endpoint did not take the code. */
  | 'code-refused'
  /** The token endpoint's answer is no token response. */
  | 'tokens-malformed'
  /** A claim of the id_token is not what it has to be. */
  | 'claims-invalid'
  /** The id_token, or the userinfo, is not signed by the issuer. */
  | 'signature-invalid'
  /** The userinfo endpoint's answer cannot be used. */
  | 'userinfo-refused'
  /** The userinfo is somebody else's. */
  | 'subject-mismatched'
  /** The profile does not make a user. */
  | 'profile-unusable'

/** An expected failure, as data. */
export interface OAuthFailure {
  readonly reason: OAuthFailureReason
  /** For the log: what was expected and what came, without any token, code or secret. */
  readonly error: Error
  /** What a hook, a callback or the network threw. */
  readonly cause?: unknown
  /** With `denied`: the provider's error code, if it is a registered one, else `other`. */
  readonly code?: string
}

export interface Failed {
  readonly failed: OAuthFailure
}

/** A failure with a message for the log. */
export function fail(reason: OAuthFailureReason, message: string, cause?: unknown): Failed {
  return { failed: { reason, error: new Error(message), ...(cause !== undefined && { cause }) } }
}

/** Did the call fail? */
export function hasFailed(answer: object): answer is Failed {
  return 'failed' in answer
}

/** A value of the provider's as it may stand in a log: quoted, on one line, and short. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
