/**
 * Tools for testing an application with this library: a mock identity provider, session cookies, a virtual clock and a
 * mailbox. For any test runner.
 */
export { platform } from 'authmachine/instrumented'
export {
  mockIdentityProvider,
  type AuthorizationResponse,
  type IdentityProvider,
  type IdentityProviderOptions,
  type LoggedRequest,
  type Misbehaviour,
  type ProviderUser,
} from './identity-provider.ts'
export { mailbox, type CaughtMail, type Mailbox } from './mailbox.ts'
export { serveIdentityProvider, type ServedIdentityProvider } from './serve-identity-provider.ts'
export {
  sessionCookie,
  type SealedSessionOptions,
  type SessionCookie,
  type SignedInUser,
  type StoredSessionOptions,
} from './session-cookie.ts'
export { virtualClock, type VirtualClock } from './virtual-clock.ts'
