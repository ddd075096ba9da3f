/** The name of every error. Logs, guides and the `error` parameter of the sign-in and error pages use these names. */
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
  | 'MissingClientId'
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

/** Details of an error. `err` is the original error. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

/**
 * Base class of all errors of this library. Takes a message or an error. Given an error, it copies the message and
 * keeps the error as `cause.err`. Other details go to `cause`.
 */
export class AuthError extends Error {
  static type: ErrorType = 'AuthError'
  /** The page that shows the error: the sign-in page or the error page. */
  static kind: 'error' | 'signIn' = 'error'
  /** Whether clients may see the type. All other errors are shown as `Configuration`. */
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

/** Base class of errors that redirect to the sign-in page. */
export class SignInError extends AuthError {
  static override type: ErrorType = 'SignInError'
  static override kind = 'signIn' as const
}

/** The `signIn` callback refused the sign-in or threw. If it threw, the message is that of the thrown error. */
export class AccessDenied extends AuthError {
  static override type: ErrorType = 'AccessDenied'
  static override clientSafe = true
}

/** The passkey, the e-mail address or the account of a feature belongs to another user. */
export class AccountNotLinked extends SignInError {
  static override type: ErrorType = 'AccountNotLinked'
  static override clientSafe = true
}

/** An adapter operation failed, returned an invalid value, or is missing. */
export class AdapterError extends AuthError {
  static override type: ErrorType = 'AdapterError'
}

/** The callback of a provider failed. `cause.err` is the reason, `cause.provider` the id of the provider. */
export class CallbackRouteError extends AuthError {
  static override type: ErrorType = 'CallbackRouteError'
}

/**
 * Thrown by `authorize` to refuse a sign-in. `code` appears in the URL, so it must not reveal which input was wrong.
 */
export class CredentialsSignin extends SignInError {
  static override type: ErrorType = 'CredentialsSignin'
  static override clientSafe = true
  /** @default 'credentials' */
  code = 'credentials'
}

/** More than one WebAuthn provider has `enableConditionalUI`. */
export class DuplicateConditionalUI extends AuthError {
  static override type: ErrorType = 'DuplicateConditionalUI'
}

/** Two providers have the same id. */
export class DuplicateProvider extends AuthError {
  static override type: ErrorType = 'DuplicateProvider'
}

/** The e-mail address is invalid, or the mail could not be sent. */
export class EmailSignInError extends SignInError {
  static override type: ErrorType = 'EmailSignInError'
  static override clientSafe = true
}

/** `pages.error` leads back to a route of the library. */
export class ErrorPageLoop extends AuthError {
  static override type: ErrorType = 'ErrorPageLoop'
}

/** An event handler threw. Only logged. */
export class EventError extends AuthError {
  static override type: ErrorType = 'EventError'
}

/** A WebAuthn provider is configured without `experimental.enableWebAuthn`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: ErrorType = 'ExperimentalFeatureNotEnabled'
}

/** A callback URL is invalid or too long. Only logged. */
export class InvalidCallbackUrl extends AuthError {
  static override type: ErrorType = 'InvalidCallbackUrl'
}

/** The response does not belong to a sign-in that this browser started: its checks are missing, expired or invalid. */
export class InvalidCheck extends AuthError {
  static override type: ErrorType = 'InvalidCheck'
  static override clientSafe = true
}

/** An option has an invalid value. */
export class InvalidConfig extends AuthError {
  static override type: ErrorType = 'InvalidConfig'
}

/** A provider has neither a required endpoint nor an issuer to discover it from. */
export class InvalidEndpoints extends AuthError {
  static override type: ErrorType = 'InvalidEndpoints'
}

/** No provider has this id, or the provider does not support this route. */
export class InvalidProvider extends AuthError {
  static override type: ErrorType = 'InvalidProvider'
}

/** A session token could not be read, renewed or returned. Only logged. */
export class JWTSessionError extends AuthError {
  static override type: ErrorType = 'JWTSessionError'
}

/** A provider or session strategy needs an adapter, and none is configured. */
export class MissingAdapter extends AuthError {
  static override type: ErrorType = 'MissingAdapter'
}

/** The adapter lacks operations that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type: ErrorType = 'MissingAdapterMethods'
}

/** A credentials provider has no `authorize` function. */
export class MissingAuthorize extends AuthError {
  static override type: ErrorType = 'MissingAuthorize'
}

/** An OAuth provider has no `clientId`, neither in its options nor in the environment. */
export class MissingClientId extends AuthError {
  static override type: ErrorType = 'MissingClientId'
}

/** The CSRF token is missing or does not match the cookie. */
export class MissingCSRF extends SignInError {
  static override type: ErrorType = 'MissingCSRF'
  static override clientSafe = true
}

/** The secret is missing or blank. */
export class MissingSecret extends AuthError {
  static override type: ErrorType = 'MissingSecret'
}

/** A WebAuthn provider has `enableConditionalUI`, and no form field with `autocomplete="webauthn"`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: ErrorType = 'MissingWebAuthnAutocomplete'
}

/** The account or its e-mail address belongs to another user. To link it, its owner must be signed in. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: ErrorType = 'OAuthAccountNotLinked'
  static override clientSafe = true
}

/** The provider returned an error, for example because the user declined. */
export class OAuthCallbackError extends SignInError {
  static override type: ErrorType = 'OAuthCallbackError'
  static override clientSafe = true
}

/** The `profile` callback threw, or returned a user without a usable id. */
export class OAuthProfileParseError extends AuthError {
  static override type: ErrorType = 'OAuthProfileParseError'
}

/** The sign-in could not be started. */
export class OAuthSignInError extends SignInError {
  static override type: ErrorType = 'OAuthSignInError'
}

/** The `rateLimit` callback refused the attempt, or too many passwords wait to be hashed. */
export class RateLimited extends AuthError {
  static override type: ErrorType = 'RateLimited'
  static override clientSafe = true
  /** Whole seconds until the next attempt may succeed, if the callback returned them. */
  retryAfter?: number
}

/** A database session could not be read or extended. Only logged. */
export class SessionTokenError extends AuthError {
  static override type: ErrorType = 'SessionTokenError'
}

/** The session could not be revoked. */
export class SignOutError extends AuthError {
  static override type: ErrorType = 'SignOutError'
}

/** The library has no route for this path and method. */
export class UnknownAction extends AuthError {
  static override type: ErrorType = 'UnknownAction'
}

/**
 * A credentials provider is combined with database sessions, and no adapter is configured. Or a method that needs
 * database sessions was called with JWT sessions.
 */
export class UnsupportedStrategy extends AuthError {
  static override type: ErrorType = 'UnsupportedStrategy'
}

/** The host of the request is not trusted. */
export class UntrustedHost extends AuthError {
  static override type: ErrorType = 'UntrustedHost'
}

/** The e-mail link or code is invalid, expired or already used. */
export class Verification extends AuthError {
  static override type: ErrorType = 'Verification'
  static override clientSafe = true
}

/** The response of the authenticator could not be verified. */
export class WebAuthnVerificationError extends AuthError {
  static override type: ErrorType = 'WebAuthnVerificationError'
  static override clientSafe = true
}

/**
 * Returns whether clients may see the type of an error.
 *
 * @param error any value
 * @returns whether it is an AuthError whose type may be shown
 * @example
 * const type = isClientError(error) ? error.type : 'Configuration'
 */
export function isClientError(error: unknown): error is AuthError {
  return error instanceof AuthError && (error.constructor as typeof AuthError).clientSafe
}
