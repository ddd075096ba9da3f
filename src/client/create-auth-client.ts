import type { PublicProvider } from '../types/provider.ts'
import type { Session } from '../types/records.ts'
import { leave, readOutcome, type Outcome } from './outcome.ts'
import { performCeremony, type PasskeyOptions } from './passkey.ts'
import { openRoutes, type Fields, type Query } from './routes.ts'
import { signIn, type SignInOptions, type SignOutOptions } from './sign-in.ts'
import { watchSession, type Listener } from './watch-session.ts'

/** Options of {@link createAuthClient}. */
export interface AuthClientOptions {
  /** Where the routes are: `basePath` of the configuration, or `prefix`. @default '/auth' */
  readonly basePath?: string
}

/** The routes of the library, as a page of the same origin uses them. */
export interface AuthClient {
  /** The session, or null. @throws Error when the server cannot tell at present */
  readonly getSession: () => Promise<Session | null>
  /** Calls back with the session: now, and whenever it changed here or in another tab. @returns what ends it */
  readonly watchSession: (listener: Listener) => () => void
  /** What can be signed in with, by the id of the provider. */
  readonly getProviders: () => Promise<Readonly<Record<string, PublicProvider>>>
  /** For forms of your own, as their field `csrfToken`; undefined where the server does not check one. */
  readonly getCsrfToken: () => Promise<string | undefined>
  /**
   * Starts a sign-in with a provider, or without one on the page where it is chosen.
   * @throws Error when there is no such provider, or the server answers none
   */
  readonly signIn: (
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: Query,
  ) => Promise<Outcome>
  /** Ends the session, in all tabs. */
  readonly signOut: (options?: SignOutOptions) => Promise<Outcome>
  /** Hands data to the `jwt` or `session` callback, trigger `update`. @returns the new session */
  readonly updateSession: (data: unknown) => Promise<Session | null>
  /** Signs in with a passkey that the browser offers. @throws DOMException when the user declines */
  readonly signInWithPasskey: (options?: PasskeyOptions) => Promise<Outcome>
  /** Makes a passkey: for the user who is signed in, or for a new one. @throws DOMException when the user declines */
  readonly registerPasskey: (options?: PasskeyOptions) => Promise<Outcome>
}

/**
 * Makes the client of one base path. Needs `fetch`, `location` and `BroadcastChannel`, only when it is used: a module that
 * is rendered on a server may hold it.
 *
 * @example
 * export const { signIn, signOut, watchSession } = createAuthClient({ basePath: '/api/auth' })
 */
export function createAuthClient({ basePath = '/auth' }: AuthClientOptions = {}): AuthClient {
  const routes = openRoutes(basePath)
  const getSession = async () => (await routes.read('session')) as Session | null
  const watch = watchSession(getSession, `authmachine:${routes.at('')}`)

  /** Submits what the options say, tells everybody who watches, and goes where it leads if that is wanted. */
  async function perform(
    options: SignInOptions,
    submit: (fields: Fields) => Promise<string>,
  ): Promise<Outcome> {
    const { redirectTo = location.href, redirect = true, ...others } = options
    const given = Object.entries(others).filter(([, value]) => value !== undefined)
    const fields = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
    const url = await submit({ ...fields, callbackUrl: redirectTo })
    const outcome = readOutcome(url)
    const told = watch.announce()
    if (redirect) leave(url)
    else await told
    return outcome
  }

  const usePasskey = (action: 'authenticate' | 'register', options: PasskeyOptions = {}) => {
    const { provider = 'passkey', ...others } = options
    return perform(others, (fields) => performCeremony(routes, provider, fields, action))
  }

  return {
    getSession,
    watchSession: watch.add,
    getProviders: async () => (await routes.read('providers')) as Readonly<Record<string, PublicProvider>>,
    getCsrfToken: routes.csrfToken,
    signIn: (provider, options = {}, params) =>
      perform(options, (fields) => signIn(routes, provider, fields, params)),
    signOut: (options = {}) => perform({ ...options }, (fields) => routes.submit('signout', fields)),
    async updateSession(data) {
      const session = (await routes.send('session', { data })) as Session | null
      await watch.announce()
      return session
    },
    signInWithPasskey: (options) => usePasskey('authenticate', options),
    registerPasskey: (options) => usePasskey('register', options),
  }
}
