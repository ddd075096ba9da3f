import type { Settings } from '../config/settings.ts'
import type { RequestParts, ResponseParts } from '../http/parts.ts'
import type { MaybePromise } from '../async/maybe-promise.ts'
import type { FoundSession } from '../types/found-session.ts'
import type { AnyAuthTypes, AuthTypes } from '../types/inference.ts'
import type { UserSession } from '../types/instance.ts'
import type { RequiredAuthentication } from '../types/authentication.ts'

/** The functions of an instance that read sessions, for servers that neither have a Request nor need a Response. */
export interface DirectSessions<T extends AuthTypes = AnyAuthTypes> {
  readonly getSessionWithCookies: (request: RequestParts) => Promise<FoundSession<T['session'] | null>>
  readonly requireSession: (
    request: RequestParts,
    required?: RequiredAuthentication,
  ) => Promise<FoundSession<UserSession<T['session']>> | ResponseParts>
}

/** All functions of an instance that such servers use. */
export interface DirectAuth<T extends AuthTypes = AnyAuthTypes> extends DirectSessions<T> {
  readonly answer: (request: RequestParts) => MaybePromise<ResponseParts>
}

/** The same functions of an instance itself, not of a wrapper around one. */
export interface OwnAuth<T extends AuthTypes = AnyAuthTypes> extends DirectAuth<T> {
  readonly settings: () => Settings
  /** Does not extend the session. */
  readonly getSession: (request: RequestParts) => Promise<T['session'] | null>
}
