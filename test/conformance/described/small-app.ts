import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import type { Description } from '../../../fuzz/targets/described/description.ts'

/** Bugs of the small application. */
export type Bug =
  | 'no state'
  | 'keeps the state'
  | 'keeps the session'
  | 'no callback here'
  | 'foreign callback'
  | 'plain challenge'

/** How to use the small application. */
export const description: Description = {
  signIn: { url: '/go/{provider}' },
  session: { url: '/me', user: 'who.mail' },
  signOut: { method: 'POST', url: '/bye' },
  cookies: { session: 'sid' },
}

/** Where the small application has what an application on a library has elsewhere. */
export interface SmallRoutes {
  readonly signIn: string
  /** A parameter without which a request starts no sign-in. @default none */
  readonly needs?: string
  readonly callback: string
  readonly cookie: string
}

const ownRoutes: SmallRoutes = { signIn: '/go/alpha', callback: '/done', cookie: 'sid' }

/** Serves an application that signs in at the oracle's provider alpha, with custom routes. */
export async function serveSmallApp(
  oracle: number,
  bug?: Bug,
  routes: SmallRoutes = ownRoutes,
): Promise<{ url: string; close: () => void }> {
  const sessions = new Map<string, { state?: string; mail?: string }>()
  const issuer = `http://127.0.0.1:${oracle}`
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const origin = `http://${request.headers.host}`
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const held = new RegExp(`${routes.cookie}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1]
    const session = held === undefined ? undefined : sessions.get(held)
    const callback = `${bug === 'foreign callback' ? 'http://elsewhere.example' : origin}${routes.callback}`
    const open = (content: { state?: string; mail?: string }) => {
      const id = randomUUID()
      sessions.set(id, content)
      response.setHeader('set-cookie', `${routes.cookie}=${id}; Path=/; HttpOnly; SameSite=Lax`)
    }
    const redirect = (to: string) => void response.writeHead(302, { location: to }).end()
    const isStart =
      pathname === routes.signIn && (routes.needs === undefined || searchParams.has(routes.needs))
    if (isStart && bug !== 'no callback here') {
      const state = randomUUID()
      open({ state })
      const query = { client_id: 'client-at-alpha', redirect_uri: callback, response_type: 'code', state }
      const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }
      const asked = { ...query, scope: 'openid', ...(bug === 'plain challenge' && challenge) }
      return redirect(`${issuer}/authorize?${new URLSearchParams(asked)}`)
    }
    if (pathname === routes.callback) {
      const isOwn = session?.state !== undefined && session.state === searchParams.get('state')
      if (!isOwn && bug !== 'no state') return void response.writeHead(400).end('no such sign-in')
      if (bug === 'keeps the state' && !searchParams.has('code'))
        return void response.writeHead(400).end('refused')
      if (held !== undefined) sessions.delete(held)
      const { email: mail } = (await exchange(issuer, callback, searchParams.get('code') ?? '')) ?? {}
      if (mail === undefined) return void response.writeHead(400).end('refused')
      open({ mail })
      return redirect('/')
    }
    if (['/bye', '/logout'].includes(pathname) && request.method === 'POST') {
      if (held !== undefined && bug !== 'keeps the session') sessions.delete(held)
      response.setHeader('set-cookie', `${routes.cookie}=; Max-Age=0; Path=/`)
      return redirect('/')
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(session?.mail === undefined ? {} : { who: { mail: session.mail } }))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(500).end('failed'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void (server.closeAllConnections(), server.close()),
  }
}

/** What a provider returns for a code. */
export interface Exchanged {
  readonly sub: string
  readonly email?: string
  readonly name?: string
  readonly nickname?: string
  readonly token: string
}

/** Returns the user to whom a code belongs, with the access token. A userinfo response that fails names none. */
export async function exchange(
  issuer: string,
  callback: string,
  code: string,
  name: 'alpha' | 'plain' = 'alpha',
): Promise<Exchanged | undefined> {
  const headers = {
    authorization: `Basic ${btoa(`client-at-${name}:secret-at-${name}-0123456789`)}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: callback })
  const tokens = await fetch(`${issuer}/token`, { method: 'POST', headers, body })
  if (!tokens.ok) return undefined
  const { access_token: token } = (await tokens.json()) as { access_token: string }
  const userinfo = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })
  if (!userinfo.ok) return { sub: '', token }
  return { ...((await userinfo.json()) as Omit<Exchanged, 'token'>), token }
}
