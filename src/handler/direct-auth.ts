import type { RequestParts, ResponseParts } from '../http/parts.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { FoundSession } from '../types/found-session.ts'
import type { AnyAuthTypes, AuthTypes } from '../types/inference.ts'
import type { AuthBase, UserSession } from '../types/instance.ts'

/** The functions of an instance for servers that have neither a Request nor need a Response. */
export interface DirectAuth<T extends AuthTypes = AnyAuthTypes> {
  readonly answer: (request: RequestParts) => MaybePromise<ResponseParts>
  readonly getSessionWithCookies: (request: RequestParts) => Promise<FoundSession<T['session'] | null>>
  readonly requireSession: (
    request: RequestParts,
  ) => Promise<FoundSession<UserSession<T['session']>> | ResponseParts>
}

const directs = new WeakMap<object, DirectAuth>()

/** Keeps the functions beside the instance. A wrapper around an instance is another object, and is not bypassed. */
export function keepDirect(auth: AuthBase, direct: DirectAuth): void {
  directs.set(auth, direct)
}

/** Returns the functions of a result of `createAuth`, and undefined for any other object. */
export function directOf<T extends AuthTypes>(auth: AuthBase<T>): DirectAuth<T> | undefined {
  // They were kept for this very instance, so they have its types.
  return directs.get(auth) as DirectAuth<T> | undefined
}
