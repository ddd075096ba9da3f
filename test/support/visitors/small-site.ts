import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/instance/create-auth.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import type { AuthBase } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import { openPort } from '../../../docs/examples/demo/serve.ts'
import { mailProvider } from '../mail.ts'
import { mixVisitors, type Mix } from './mix-visitors.ts'
import type { Site } from './requests.ts'
import type { RequestListener } from 'node:http'

const pin = '2718-2818'

/** Creates an instance with a provider of each type. Any name signs in with the PIN. */
export function createSiteAuth(features: AuthConfig['features'] = []): AuthBase {
  return createAuth({
    features,
    secret: 'a secret for the visitors that is long enough',
    trustHost: true,
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [
      {
        id: 'demo',
        name: 'Demo',
        type: 'oauth',
        clientId: 'site',
        clientSecret: 'secret',
        authorization: 'https://idp.test/authorize',
        token: 'https://idp.test/token',
        userinfo: 'https://idp.test/userinfo',
      },
      mailProvider([]),
      Credentials({
        credentials: { name: {}, pin: {} },
        authorize: (given) =>
          given.pin === pin ? { id: String(given.name), name: String(given.name) } : null,
      }),
    ],
    logger: { error() {}, warn() {} },
  })
}

/** Responds as a site with the library's routes, a home page that names the user, and a page for members. */
export async function answer(auth: AuthBase, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/auth/')) return auth.handler(request)
  if (pathname === '/members') {
    const found = await auth.requireSession(request)
    return 'session' in found ? showUser(found.session.user.name, found.cookies) : found
  }
  if (pathname !== '/') return new Response('There is no such page', { status: 404 })
  const { session, cookies } = await auth.getSessionWithCookies(request)
  return showUser(session?.user?.name, cookies)
}

function showUser(name: string | null | undefined, cookies: readonly string[]): Response {
  const headers = new Headers(cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]))
  headers.set('Content-Type', 'text/plain')
  if (cookies.length > 0) headers.set('Cache-Control', 'private, no-store')
  return new Response(`Hello ${name ?? 'nobody'}`, { headers })
}

/** Serves a listener on a free port and lets the visitors use it. */
export async function visit(listener: RequestListener, seed: number, gate?: string): Promise<Mix> {
  const port = await openPort('127.0.0.1', 0)
  port.answer(listener)
  const site: Site = { origin: port.origin, basePath: '/auth', pages: ['/', '/members'], gate, pin }
  try {
    return await mixVisitors(site, seed)
  } finally {
    await port.close()
  }
}
