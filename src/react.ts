export {
  createReactAuth,
  type KnownSession,
  type ReactAuth,
  type SessionProviderProps,
} from './react/create-react-auth.ts'
export type { AuthClient, AuthClientOptions } from './client/create-auth-client.ts'
export type { Outcome } from './client/outcome.ts'
export type { Query } from './client/routes.ts'
export type { PasskeyOptions, SignInOptions, SignOutOptions } from './client/sign-in.ts'
