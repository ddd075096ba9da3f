import type { PublicProvider } from '../types/public-provider.ts'
import type { AnyAuthTypes, AuthTypes } from '../types/inference.ts'
import type { AuthBase, AuthInstance, TypesOf } from '../types/instance.ts'
import type { Session } from '../types/records.ts'
import { type Outcome, readOutcome } from './outcome.ts'
import { type Destination, type Fields, openRoutes, type Query } from './routes.ts'
import {
  type PasskeyOptions,
  performCeremony,
  signIn,
  type SignInOptions,
  type SignOutOptions,
} from './sign-in.ts'
import { type Listener, watchSession } from './watch-session.ts'

/** Navigates to a page. Reloads the current page even if only the fragment differs. */
function leave(url: string): void {
  const [page] = location.href.split('#')
  location.href = url
  if (url.startsWith(`${page}#`)) location.reload()
}

/** Options of {@link createAuthClient}. */
export interface AuthClientOptions {
  /** Path of the routes: `basePath` of the configuration, or `prefix`. @default '/auth' */
  readonly basePath?: string
}

/** The routes of the library, for pages of the same origin. */
export interface AuthClient<T extends AuthTypes = AnyAuthTypes> {
  /** Returns the session, or null. @throws Error if the server fails */
  readonly getSession: () => Promise<T['session'] | null>
  /**
   * Calls the listener with the session: now, and whenever the session changes in this tab or another one. On a server,
   * where there is no `document`, it does nothing.
   *
   * @param shown returns the session that the page shows, for a page whose session may come from the server. The
   * listener is then called only with a different session. By default, the page shows the last session that the
   * listener received.
   * @returns an unsubscribe function
   */
  readonly watchSession: (
    listener: Listener<T['session']>,
    shown?: () => T['session'] | null | undefined,
  ) => () => void
  /** Returns the configured providers by id. */
  readonly getProviders: () => Promise<Readonly<Record<T['provider'], PublicProvider>>>
  /**
   * Returns the value of the field `csrfToken` for your own forms, or undefined if the server does not check the field.
   */
  readonly getCsrfToken: () => Promise<string | undefined>
  /**
   * Starts a sign-in with a provider, or goes to the sign-in page if none is given.
   * @throws Error if there is no such provider, or the server fails
   */
  readonly signIn: (
    provider?: T['provider'],
    options?: SignInOptions,
    authorizationParams?: Query,
  ) => Promise<Outcome>
  /** Ends the session in all tabs. */
  readonly signOut: (options?: SignOutOptions) => Promise<Outcome>
  /** Passes data to the `jwt` or `session` callback, with trigger `update`. @returns the new session */
  readonly updateSession: (data: unknown) => Promise<T['session'] | null>
  /** Signs in with a passkey that the browser offers. @throws DOMException if the user cancels */
  readonly signInWithPasskey: (options?: PasskeyOptions<T['provider']>) => Promise<Outcome>
  /** Registers a passkey for the signed-in user, or for a new one. @throws DOMException if the user cancels */
  readonly registerPasskey: (options?: PasskeyOptions<T['provider']>) => Promise<Outcome>
}

/**
 * Creates the client for a base path. Uses `fetch`, `location` and `BroadcastChannel` only when called, so it can also
 * be created in code that runs on a server.
 *
 * Pass the type of your instance, so that the client knows its provider ids and its session. The import of a type adds
 * no server code to the bundle.
 *
 * @param options path of the routes
 * @returns functions that call the routes
 * @example
 * import type { auth } from './auth'
 * export const { signIn, signOut, watchSession } = createAuthClient<typeof auth>({ basePath: '/api/auth' })
 */
export function createAuthClient<Auth extends AuthBase<AuthTypes> = AuthInstance>(
  options?: AuthClientOptions,
): AuthClient<TypesOf<Auth>>
export function createAuthClient({ basePath = '/auth' }: AuthClientOptions = {}): AuthClient {
  const routes = openRoutes(basePath)
  const getSession = async () => (await routes.read('session')) as Session | null
  const watch = watchSession(getSession, `authmachine:${routes.at('')}`)

  /** Sends the request, notifies all watchers, and navigates to the result unless `redirect` is false. */
  async function perform(
    options: SignInOptions,
    submit: (fields: Fields) => Promise<Destination>,
  ): Promise<Outcome> {
    const { redirectTo = location.href, redirect = true, ...others } = options
    const given = Object.entries(others).filter(([, value]) => value !== undefined)
    const fields = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
    const outcome = readOutcome(await submit({ ...fields, callbackUrl: redirectTo }), location.href)
    const told = watch.announce()
    if (redirect) leave(outcome.url)
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
