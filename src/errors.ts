/** Names of all errors, as the query of the error and sign-in pages, the logs and the guides spell them. */
export type ErrorType =
  | 'AccessDenied'
  | 'AccountNotLinked'
  | 'AdapterError'
  | 'AuthError'
  | 'CallbackRouteError'
  | 'CredentialsSignin'
  | 'DuplicateConditionalUI'
  | 'DuplicateProvider'
  | 'EmailSignInError'
  | 'ErrorPageLoop'
  | 'EventError'
  | 'ExperimentalFeatureNotEnabled'
  | 'InvalidCallbackUrl'
  | 'InvalidCheck'
  | 'InvalidConfig'
  | 'InvalidEndpoints'
  | 'InvalidProvider'
  | 'JWTSessionError'
  | 'MissingAdapter'
  | 'MissingAdapterMethods'
  | 'MissingAuthorize'
  | 'MissingCSRF'
  | 'MissingSecret'
  | 'MissingWebAuthnAutocomplete'
  | 'OAuthAccountNotLinked'
  | 'OAuthCallbackError'
  | 'OAuthProfileParseError'
  | 'OAuthSignInError'
  | 'RateLimited'
  | 'SessionTokenError'
  | 'SignInError'
  | 'SignOutError'
  | 'UnknownAction'
  | 'UnsupportedStrategy'
  | 'UntrustedHost'
  | 'Verification'
  | 'WebAuthnVerificationError'

/** Further facts of an error; `err` is the error that it stands for. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

/**
 * Base of all errors of this library. Takes a message, or an error whose message it takes over and which it keeps as
 * `cause.err`; further facts go to `cause`.
 */
export class AuthError extends Error {
  static type: ErrorType = 'AuthError'
  /** Which page shows it: the sign-in page or the error page. */
  static kind: 'error' | 'signIn' = 'error'
  /** May its type be told to the client? Others are told as `Configuration`. */
  static clientSafe = false

  readonly type: ErrorType
  readonly kind: 'error' | 'signIn'
  override cause?: ErrorCause

  constructor(message?: string | Error | ErrorCause, cause?: Error | ErrorCause) {
    const inner = message instanceof Error ? message : cause instanceof Error ? cause : undefined
    super(typeof message === 'string' ? message : (inner?.message ?? ''))
    const facts = {
      ...(inner ? { ...asRecord(inner.cause), err: inner } : undefined),
      ...(message instanceof Error ? undefined : asRecord(message)),
      ...(cause instanceof Error ? undefined : asRecord(cause)),
    }
    if (Object.keys(facts).length > 0) this.cause = facts
    this.name = new.target.name
    this.type = new.target.type
    this.kind = new.target.kind
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Error) ? { ...value } : {}
}

/** An error that leads back to the sign-in page. */
export class SignInError extends AuthError {
  static override type: ErrorType = 'SignInError'
  static override kind = 'signIn' as const
}

/** The signIn callback refused (or threw; then the message is the thrown error's). */
export class AccessDenied extends AuthError {
  static override type: ErrorType = 'AccessDenied'
  static override clientSafe = true
}

/** A passkey belongs to somebody else, or its address does. */
export class AccountNotLinked extends SignInError {
  static override type: ErrorType = 'AccountNotLinked'
  static override clientSafe = true
}

/** An operation of the adapter failed, answered nonsense, or is missing. */
export class AdapterError extends AuthError {
  static override type: ErrorType = 'AdapterError'
}

/** The provider's callback failed; `cause.err` says why, `cause.provider` where. */
export class CallbackRouteError extends AuthError {
  static override type: ErrorType = 'CallbackRouteError'
}

/** Thrown by `authorize` for a refusal; `code` shows in the URL, so it must not tell what was wrong. */
export class CredentialsSignin extends SignInError {
  static override type: ErrorType = 'CredentialsSignin'
  static override clientSafe = true
  /** @default 'credentials' */
  code = 'credentials'
}

/** Two WebAuthn providers offer passkeys while the form is filled in. */
export class DuplicateConditionalUI extends AuthError {
  static override type: ErrorType = 'DuplicateConditionalUI'
}

/** Two providers share an id. */
export class DuplicateProvider extends AuthError {
  static override type: ErrorType = 'DuplicateProvider'
}

/** The address is none, or the mail could not be sent. */
export class EmailSignInError extends SignInError {
  static override type: ErrorType = 'EmailSignInError'
  static override clientSafe = true
}

/** The configured error page leads back into the library. */
export class ErrorPageLoop extends AuthError {
  static override type: ErrorType = 'ErrorPageLoop'
}

/** An event hook threw; logged only. */
export class EventError extends AuthError {
  static override type: ErrorType = 'EventError'
}

/** A WebAuthn provider without `experimental.enableWebAuthn`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: ErrorType = 'ExperimentalFeatureNotEnabled'
}

/** A callback URL that is none, or too long; logged only. */
export class InvalidCallbackUrl extends AuthError {
  static override type: ErrorType = 'InvalidCallbackUrl'
}

/** An answer is not of a transaction of this browser: its checks are missing, expired or others, or do not match it. */
export class InvalidCheck extends AuthError {
  static override type: ErrorType = 'InvalidCheck'
  static override clientSafe = true
}

/** A field of the configuration has a value of the wrong kind. */
export class InvalidConfig extends AuthError {
  static override type: ErrorType = 'InvalidConfig'
}

/** A provider lacks an endpoint, and an issuer to discover it from. */
export class InvalidEndpoints extends AuthError {
  static override type: ErrorType = 'InvalidEndpoints'
}

/** No provider of that id, or not one for this route. */
export class InvalidProvider extends AuthError {
  static override type: ErrorType = 'InvalidProvider'
}

/** A session token could not be read, renewed or shown; logged only. */
export class JWTSessionError extends AuthError {
  static override type: ErrorType = 'JWTSessionError'
}

/** A provider or strategy that needs a store, without one. */
export class MissingAdapter extends AuthError {
  static override type: ErrorType = 'MissingAdapter'
}

/** The store lacks operations that the configuration always needs. */
export class MissingAdapterMethods extends AuthError {
  static override type: ErrorType = 'MissingAdapterMethods'
}

/** A credentials provider without `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type: ErrorType = 'MissingAuthorize'
}

/** The CSRF token is missing or is not the one of the cookie. */
export class MissingCSRF extends SignInError {
  static override type: ErrorType = 'MissingCSRF'
  static override clientSafe = true
}

/** There is no secret, or it is blank. */
export class MissingSecret extends AuthError {
  static override type: ErrorType = 'MissingSecret'
}

/** A provider that offers passkeys while the form is filled in, without a field to offer them in. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: ErrorType = 'MissingWebAuthnAutocomplete'
}

/** The account is another user's, or its address is; linking it needs the owner's live session. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: ErrorType = 'OAuthAccountNotLinked'
  static override clientSafe = true
}

/** The provider answered with an error, such as a user who refused. */
export class OAuthCallbackError extends SignInError {
  static override type: ErrorType = 'OAuthCallbackError'
  static override clientSafe = true
}

/** The profile callback threw, or gave a user without a usable id. */
export class OAuthProfileParseError extends AuthError {
  static override type: ErrorType = 'OAuthProfileParseError'
}

/** The sign-in at the provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type: ErrorType = 'OAuthSignInError'
}

/** The rateLimit callback refused the attempt. */
export class RateLimited extends AuthError {
  static override type: ErrorType = 'RateLimited'
  static override clientSafe = true
}

/** A database session could not be read or extended; logged only. */
export class SessionTokenError extends AuthError {
  static override type: ErrorType = 'SessionTokenError'
}

/** The session could not be revoked. */
export class SignOutError extends AuthError {
  static override type: ErrorType = 'SignOutError'
}

/** The path or method is none of this library's. */
export class UnknownAction extends AuthError {
  static override type: ErrorType = 'UnknownAction'
}

/** Credentials with sessions in a store that does not know users. */
export class UnsupportedStrategy extends AuthError {
  static override type: ErrorType = 'UnsupportedStrategy'
}

/** The host of the request is not to be relied on. */
export class UntrustedHost extends AuthError {
  static override type: ErrorType = 'UntrustedHost'
}

/** The mail link is invalid, expired, or was used before. */
export class Verification extends AuthError {
  static override type: ErrorType = 'Verification'
  static override clientSafe = true
}

/** The answer of an authenticator does not verify. */
export class WebAuthnVerificationError extends AuthError {
  static override type: ErrorType = 'WebAuthnVerificationError'
  static override clientSafe = true
}

/** Is this an error whose type may be told to the client? */
export function isClientError(error: unknown): error is AuthError {
  return error instanceof AuthError && (error.constructor as typeof AuthError).clientSafe
}
