import { createHandler } from './handler/create-handler.ts'
import { promised } from './async/maybe-promise.ts'
import type { raw } from './types/symbols.ts'
import type { AuthConfig, ResponseInternal } from './types/config.ts'

export { createActionURL, isAuthAction } from './config/create-action-url.ts'
export { setEnvDefaults } from './config/set-env-defaults.ts'
export { createAuth } from './instance/create-auth.ts'
export type { AccessTokenAnswer } from './types/records.ts'
export type { FoundSession } from './types/found-session.ts'
export type { ListedSession, ListSessionsOptions, RevokeSessionsOptions } from './types/listed-session.ts'
export type {
  AuthBase,
  AuthFor,
  AuthInstance,
  AuthWithAdapter,
  AuthWithoutAdapter,
  AuthWithoutOAuthProvider,
  AuthWithoutUpdateAccount,
  ClaimsOf,
  ProviderIdOf,
  SessionOf,
  UserSession,
} from './types/instance.ts'
export { customFetch, raw, skipCSRFCheck } from './types/symbols.ts'
export type { AuthConfig, AuthOptions } from './types/config.ts'
// An augmentation of `authmachine/jwt` takes effect only if the program includes that entry point, so this one
// includes it.
export type { JWT } from './jwt.ts'
export type { Account, DefaultSession, Profile, Session, User } from './types.ts'

const handle = createHandler()

/**
 * Handles a request under the base path: sign-in, callback, session, sign-out and the pages.
 *
 * With `raw: raw` it resolves to data instead of a Response, and rejects with the AuthError instead of redirecting.
 *
 * @param request a request whose path starts with `basePath`
 * @param config is derived once per object and never modified, so pass the same object each time
 * @returns the response. After a fault, it is a page or a redirect that shows the error, and the error is logged
 * @throws AuthError (rejects) in raw mode only
 * @example
 * const config: AuthConfig = { providers: [GitHub], trustHost: true }
 * setEnvDefaults(process.env, config)
 * const response = await Auth(request, config)
 */
export function Auth(request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal>
export function Auth(request: Request, config: Omit<AuthConfig, 'raw'>): Promise<Response>
export function Auth(request: Request, config: AuthConfig): Promise<Response | ResponseInternal> {
  return promised(() => handle(request, config))
}
