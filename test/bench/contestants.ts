import { Auth } from '../../src/index.ts'
import { decode, encode } from '../../src/jwt.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import * as app from './application.ts'
import { answerUrl, cookiesOf, post, signInByOAuth } from './browser.ts'

/** Jobs that handle requests, by name. */
export const requestJobs = [
  'session (JWT)',
  'session (none)',
  'session (database)',
  'OAuth sign-in',
  'credentials sign-in',
  'csrf',
  'providers',
  'sign-in page',
  'sign-in page, 10 providers',
] as const
/** All jobs. Peers have different flows for links and passkeys. */
export const jobs = [
  ...requestJobs,
  'mailed link',
  'passkey sign-in',
  'sign-out',
  'encode',
  'decode',
  'decode, third of 3 secrets',
] as const
export type Job = (typeof jobs)[number]

/**
 * An implementation, set up for the jobs it supports. Each run returns the last Response, or the token or its claims.
 */
export interface Contestant {
  readonly name: string
  readonly jobs: Partial<Record<Job, () => unknown>>
}

/** The interface that @auth/core and this library share. */
export interface AuthLibrary {
  readonly name: string
  readonly Auth: (request: Request, config: Omit<AuthConfig, 'raw'>) => Promise<Response>
  readonly encode: (params: { token: object; secret: string; salt: string }) => Promise<string>
  readonly decode: (params: { token: string; secret: string | string[]; salt: string }) => Promise<unknown>
}

export const ours: AuthLibrary = { name: 'authmachine', Auth, encode, decode }

const otherSecrets = ['another secret, which is long enough too', 'a third secret of similar length']

const sessionToken = 'f'.repeat(64)

/** @param watch wraps the store, to count its calls */
export async function openContestant(
  { name, Auth, encode, decode }: AuthLibrary,
  watch = (adapter: Adapter) => adapter,
): Promise<Contestant> {
  const config = app.configure()
  const adapter = watch(app.storeOneSession(sessionToken))
  // @auth/core does not support credentials with database sessions.
  const stored = { ...config, providers: config.providers.slice(0, 1), adapter } as AuthConfig
  const withTen = app.configure(8)
  const salt = app.cookies.session
  const token = await encode({ token: app.claims, secret: app.secret, salt })
  const secrets = [...otherSecrets, app.secret]
  const hold = (session: string) => `${app.heldCookies}; ${app.cookies.session}=${session}`
  const held = { token: hold(token), row: hold(sessionToken) }
  const get = (path: string, cookie: string, given = config) =>
    Auth(new Request(`${app.origin}${app.basePath}/${path}`, { headers: { cookie } }), given)
  return {
    name,
    jobs: {
      'session (JWT)': () => get('session', held.token),
      'session (none)': () => get('session', app.heldCookies),
      'session (database)': () => get('session', held.row, stored),
      'OAuth sign-in': () => signInByOAuth((request) => Auth(request, config)),
      'credentials sign-in': () => Auth(post('callback/credentials', { password: 'password' }), config),
      encode: () => encode({ token: app.claims, secret: app.secret, salt }),
      decode: () => decode({ token, secret: app.secret, salt }),
      'decode, third of 3 secrets': () => decode({ token, secret: secrets, salt }),
      csrf: () => get('csrf', app.heldCookies),
      providers: () => get('providers', app.heldCookies),
      'sign-in page': () => get('signin', app.heldCookies),
      'sign-in page, 10 providers': () => get('signin', app.heldCookies, withTen),
    },
  }
}

/** better-auth as `peers/better-auth.js` opens it. */
interface BetterAuth {
  readonly handler: (request: Request) => Promise<Response>
  readonly api: { readonly getSession: (given: { readonly headers: Headers }) => Promise<unknown> }
  readonly rows: { readonly session: unknown[] }
}
/** How better-auth protects the copy of a session in a cookie: signed, or encrypted (`jwe`). */
export type CookieCache = 'compact' | 'jwt' | 'jwe'
export type OpenBetterAuth = (options: object) => BetterAuth

/** Opens better-auth with a signed-in user. */
export async function openBetterAuthServer(open: OpenBetterAuth, cookieCache?: CookieCache) {
  const { handler, api, rows } = open({ ...app, cookieCache })
  const send = (path: string, body: object, cookie?: string) => {
    const headers = { 'content-type': 'application/json', origin: app.origin, ...(cookie && { cookie }) }
    const url = `${app.origin}${app.basePath}/${path}`
    return handler(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
  }
  const account = { email: `password.${app.user.email}`, password: 'password' }
  await send('sign-up/email', { ...account, name: app.user.name, image: app.user.image })
  const cookie = cookiesOf(await send('sign-in/email', account))
  return { handler, api, rows, send, account, cookie }
}

export async function openBetterAuth(open: OpenBetterAuth, cookieCache?: CookieCache): Promise<Contestant> {
  const { handler, rows, send, account, cookie } = await openBetterAuthServer(open, cookieCache)
  const get = (path: string, held = '') =>
    handler(new Request(`${app.origin}${app.basePath}/${path}`, { headers: { cookie: held } }))
  const kept = rows.session.length
  const forget = (response: Response) => {
    rows.session.length = kept
    return response
  }
  const readSession = () => get('get-session', cookie)
  if (cookieCache) return { name: 'better-auth, JWE cookie cache', jobs: { 'session (JWT)': readSession } }
  return {
    name: 'better-auth, memory store',
    jobs: {
      'session (JWT)': readSession,
      'session (none)': () => get('get-session'),
      'session (database)': readSession,
      'OAuth sign-in': async () => {
        const sent = await send('sign-in/social', { provider: app.provider.id, callbackURL: '/' })
        const url = answerUrl(sent.headers.get('location'))
        return forget(await handler(new Request(url, { headers: { cookie: cookiesOf(sent) } })))
      },
      'credentials sign-in': async () => forget(await send('sign-in/email', account)),
    },
  }
}
