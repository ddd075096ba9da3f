import { createHandler } from './handler/create-handler.ts'
import type { raw } from './symbols.ts'
import type { AuthConfig, ResponseInternal } from './types/config.ts'

export { createActionURL, isAuthAction } from './config/create-action-url.ts'
export { setEnvDefaults } from './config/set-env-defaults.ts'
export { createAuth, type AuthInstance } from './create-auth.ts'
export type { AccessTokenAnswer } from './types/access-token.ts'
export type { FoundSession, UserSession } from './require-session.ts'
export { customFetch, raw, skipCSRFCheck } from './symbols.ts'
export type { AuthConfig } from './types/config.ts'
// An augmentation of `authmachine/jwt` takes effect only where that entry is part of the program: importing this one has to do.
export type { JWT } from './jwt.ts'
export type { Account, DefaultSession, Profile, Session, User } from './types.ts'

const handle = createHandler()

/**
 * Answers a request under the base path: sign-in, callback, session, sign-out and the pages.
 *
 * With `raw: raw` it resolves to data instead of a Response, and rejects with the AuthError that it would redirect for.
 * @throws AuthError in raw mode only
 */
export function Auth(request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal>
export function Auth(request: Request, config: Omit<AuthConfig, 'raw'>): Promise<Response>
export async function Auth(request: Request, config: AuthConfig): Promise<Response | ResponseInternal> {
  return handle(request, config)
}
