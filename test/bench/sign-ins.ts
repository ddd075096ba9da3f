import { memoryAdapter } from '../../src/adapters/memory.ts'
import {
  type Authenticator,
  openAuthenticator,
  type Options,
} from '../../fuzz/world/webauthn/authenticator.ts'
import * as app from './application.ts'
import { cookiesOf, type Handle, post, signInByOAuth } from './browser.ts'
import { createCodec } from './floors/codec.ts'

export type Store = ReturnType<typeof memoryAdapter>

/** The site and the user of a flow: each implementation has its own. */
export interface Site {
  readonly store: Store
  /** The user's authenticator. */
  readonly authenticator: Authenticator
  /** The link in the last e-mail. */
  link: string
  /** The token of a signed-in user. */
  readonly token: string
}

export function openSite(store: Store = memoryAdapter()): Site {
  const token = createCodec(app.cookies.session).seal(app.claims)
  return { store, authenticator: openAuthenticator(app.origin), link: '', token }
}

/** Requests a link and follows it. */
async function signInByMail(handle: Handle, site: Site): Promise<Response> {
  const asked = await handle(post('signin/email', { email: app.user.email }))
  return handle(new Request(site.link, { headers: { cookie: `${app.heldCookies}; ${cookiesOf(asked)}` } }))
}

/** Requests passkey options, and responds to them. */
export async function performCeremony(
  handle: Handle,
  { authenticator }: Site,
  action: 'authenticate' | 'register',
  query: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const url = `${app.origin}${app.basePath}/webauthn-options/passkey?${new URLSearchParams({ action, ...query })}`
  const asked = await handle(new Request(url, { headers: { cookie: app.heldCookies } }))
  const { options } = (await asked.json()) as { options: Options }
  const answer = action === 'register' ? authenticator.create(options) : authenticator.get(options)
  return handle(post('callback/passkey', { action, data: JSON.stringify(answer) }, cookiesOf(asked)))
}

/** The requests of a browser in each flow. Each function returns the last response. */
export const browse = {
  'OAuth sign-in': signInByOAuth,
  'credentials sign-in': (handle) => handle(post('callback/credentials', { password: 'password' })),
  'mailed link': signInByMail,
  'passkey sign-in': (handle, site) => performCeremony(handle, site, 'authenticate'),
  'sign-out': (handle, { token }) => handle(post('signout', {}, `${app.cookies.session}=${token}`)),
} as const satisfies Readonly<Record<string, (handle: Handle, site: Site) => Response | Promise<Response>>>

export type SignIn = keyof typeof browse
export const signIns = Object.keys(browse) as readonly SignIn[]
