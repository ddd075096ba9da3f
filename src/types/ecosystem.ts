import type { AdapterAuthenticator } from './adapter.ts'

/** Type names that code of the ecosystem imports, and that nothing here needs. */

/** What a promise resolves to. */
export type Awaited<T> = T extends PromiseLike<infer Value> ? Value : T

/** A version of up to three numbers. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`

/** Values of `error` that the error page tells apart. */
export type ErrorPageParam = 'Configuration' | 'AccessDenied' | 'Verification' | 'InvalidCheck'

/** Values of `error` that the sign-in page tells apart. */
export type SignInPageErrorParam =
  | 'Signin'
  | 'OAuthSignin'
  | 'OAuthCallbackError'
  | 'OAuthCreateAccount'
  | 'EmailCreateAccount'
  | 'Callback'
  | 'OAuthAccountNotLinked'
  | 'EmailSignin'
  | 'CredentialsSignin'
  | 'SessionRequired'

/** A passkey, whose user may not be known yet. */
export type Authenticator = Omit<AdapterAuthenticator, 'userId'> & { userId?: string }

/** What the route for WebAuthn options answers; the options are as `@simplewebauthn/browser` takes them. */
export type WebAuthnOptionsResponseBody =
  | { action: 'authenticate'; options: Record<string, unknown> }
  | { action: 'register'; options: Record<string, unknown> }
