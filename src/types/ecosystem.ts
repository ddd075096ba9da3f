import type { AdapterAuthenticator } from './adapter.ts'

/** Types that applications import from Auth.js, and that this library does not use itself. */

/** The type that a promise resolves to. */
export type Awaited<T> = T extends PromiseLike<infer Value> ? Value : T

/** A version with up to three numbers. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`

/** Values of `error` that the error page distinguishes. */
export type ErrorPageParam = 'Configuration' | 'AccessDenied' | 'Verification' | 'InvalidCheck'

/** Values of `error` that the sign-in page distinguishes. */
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

/** A passkey whose user may be unknown. */
export type Authenticator = Omit<AdapterAuthenticator, 'userId'> & { userId?: string }

/** The response of the WebAuthn options route. `@simplewebauthn/browser` accepts its options. */
export type WebAuthnOptionsResponseBody =
  | { action: 'authenticate'; options: Record<string, unknown> }
  | { action: 'register'; options: Record<string, unknown> }
