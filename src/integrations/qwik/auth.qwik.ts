import { implicit$FirstArg, type QRL } from '@builder.io/qwik'
import { isServer } from '@builder.io/qwik/build'
import { globalAction$, routeLoader$ } from '@builder.io/qwik-city'
import type { Action, Loader, RequestEventCommon } from '@builder.io/qwik-city'
import type { Session } from '../../types/records.ts'
import { type ActionResult, signIn, type SignInInput, signOut, type SignOutInput } from './act.ts'
import { type QwikAuthConfig, serveEvent, sessionOf } from './serve-event.ts'

export { AuthError, CredentialsSignin } from '../../errors/classes.ts'
export { customFetch } from '../../types/symbols.ts'
export type { Account, DefaultSession, Profile, Session, User } from '../../types/records.ts'
export type { ActionResult } from './act.ts'
export { setEnvDefaults, type QwikAuthConfig } from './serve-event.ts'
export type { SignInInput, SignOutInput } from './act.ts'
export { getSession, type GetSessionResult } from './serve-event.ts'

/** The hooks of a Qwik City application. Re-export them from a route or `plugin@auth.ts`, as Qwik City requires. */
export interface QwikAuth {
  /** Handles the routes of the library, and passes on all other requests. */
  readonly onRequest: (event: RequestEventCommon) => Promise<void>
  /** Loads the session. */
  readonly useSession: Loader<Session | null>
  /** The action that signs in. */
  readonly useSignIn: Action<ActionResult<keyof SignInInput>, SignInInput>
  /** The action that signs out. */
  readonly useSignOut: Action<ActionResult<keyof SignOutInput>, SignOutInput>
}

/**
 * `serverAuth$` after Qwik's optimizer has turned its argument into a QRL.
 *
 * @param config returns the configuration for a request
 * @returns the hooks to re-export
 * @example
 * export const { onRequest, useSession, useSignIn, useSignOut } = serverAuth$(() => ({ providers: [GitHub] }))
 */
export function serverAuthQrl(config: QRL<(event: RequestEventCommon) => QwikAuthConfig>): QwikAuth {
  const useSignIn = globalAction$(async (data, event) => signIn(event, data, await config(event)))
  const useSignOut = globalAction$(async (data, event) => signOut(event, data, await config(event)))
  const useSession = routeLoader$((event) => sessionOf(event))
  const onRequest = async (event: RequestEventCommon): Promise<void> => {
    // The bundler evaluates this condition, and removes the code from the browser's build.
    if (isServer) await serveEvent(event, await config(event))
  }
  return { onRequest, useSession, useSignIn, useSignOut } as QwikAuth
}

/**
 * Creates sign-in, sign-out and session hooks for Qwik City, in `src/routes/plugin@auth.ts`. The configuration stays on
 * the server: Qwik's optimizer removes the arguments of `server…$` functions from the browser's build.
 *
 * @example
 * export const { onRequest, useSession, useSignIn, useSignOut } = serverAuth$(() => ({ providers: [GitHub] }))
 */
export const serverAuth$: (config: (event: RequestEventCommon) => QwikAuthConfig) => QwikAuth =
  /* @__PURE__ */ implicit$FirstArg(serverAuthQrl)

/**
 * The names used by Auth.js. With `QwikAuth$`, the optimizer leaves the configuration in the browser's build: take
 * secrets from the environment, or use `serverAuth$`.
 */
export { serverAuth$ as QwikAuth$, serverAuthQrl as QwikAuthQrl }
