import { implicit$FirstArg, type QRL } from '@builder.io/qwik'
import { isServer } from '@builder.io/qwik/build'
import { globalAction$, routeLoader$ } from '@builder.io/qwik-city'
import type { Action, Loader, RequestEventCommon } from '@builder.io/qwik-city'
import type { Session } from '../../types/records.ts'
import { signIn, signOut, type ActionResult } from './act.ts'
import type { QwikAuthConfig } from './event.ts'
import type { SignInInput, SignOutInput } from './inputs.ts'
import { serveEvent, sessionOf } from './serve-event.ts'

export { AuthError, CredentialsSignin } from '../../errors.ts'
export { customFetch } from '../../symbols.ts'
export type { Account, DefaultSession, Profile, Session, User } from '../../types/records.ts'
export type { ActionResult } from './act.ts'
export { setEnvDefaults, type QwikAuthConfig } from './event.ts'
export type { SignInInput, SignOutInput } from './inputs.ts'
export { getSession, type GetSessionResult } from './serve-event.ts'

/** What a Qwik City application is given. Re-export the hooks from a route or `plugin@auth.ts`, as Qwik City needs it. */
export interface QwikAuth {
  /** Answers the routes of the library, and passes all other requests on. */
  readonly onRequest: (event: RequestEventCommon) => Promise<void>
  readonly useSession: Loader<Session | null>
  readonly useSignIn: Action<ActionResult<keyof SignInInput>, SignInInput>
  readonly useSignOut: Action<ActionResult<keyof SignOutInput>, SignOutInput>
}

/** `serverAuth$`, with its argument made a QRL, as the optimizer of Qwik does. */
export function serverAuthQrl(config: QRL<(event: RequestEventCommon) => QwikAuthConfig>): QwikAuth {
  const useSignIn = globalAction$(async (data, event) => signIn(event, data, await config(event)))
  const useSignOut = globalAction$(async (data, event) => signOut(event, data, await config(event)))
  const useSession = routeLoader$((event) => sessionOf(event))
  const onRequest = async (event: RequestEventCommon): Promise<void> => {
    // Folded by the bundler, so that nothing of this reaches the browser.
    if (isServer) await serveEvent(event, await config(event))
  }
  return { onRequest, useSession, useSignIn, useSignOut } as QwikAuth
}

/**
 * Sign-in, sign-out and sessions for Qwik City, in `src/routes/plugin@auth.ts`. The configuration stays on the server:
 * Qwik's optimizer takes what is given to functions of this prefix out of the browser's build.
 *
 * @example
 * export const { onRequest, useSession, useSignIn, useSignOut } = serverAuth$(() => ({ providers: [GitHub] }))
 */
export const serverAuth$: (config: (event: RequestEventCommon) => QwikAuthConfig) => QwikAuth =
  /* @__PURE__ */ implicit$FirstArg(serverAuthQrl)

/**
 * The names that the ecosystem knows. By that of `QwikAuth$` the optimizer leaves the configuration in the browser's build:
 * let secrets come from the environment, or use `serverAuth$`.
 */
export { serverAuth$ as QwikAuth$, serverAuthQrl as QwikAuthQrl }
