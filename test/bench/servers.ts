import * as app from './application.ts'
import { openBetterAuthServer, ours, type OpenBetterAuth } from './contestants.ts'
import { loadPeer } from './load-peer.ts'

export interface SessionServer {
  readonly handle: (request: Request) => Response | Promise<Response>
  readonly path: string
  /** The cookie of a signed-in user. */
  readonly cookie: string
}

/** Opens the session handler of this library, or of better-auth. */
export async function openServers(name: string): Promise<SessionServer> {
  if (name.startsWith('better-auth')) {
    const { openBetterAuth } = await loadPeer<{ openBetterAuth: OpenBetterAuth }>('better-auth')
    const { handler, cookie } = await openBetterAuthServer(openBetterAuth)
    return { handle: handler, path: '/auth/get-session', cookie }
  }
  const token = await ours.encode({ token: app.claims, secret: app.secret, salt: app.cookies.session })
  const cookie = `${app.heldCookies}; ${app.cookies.session}=${token}`
  const config = app.configure()
  return { handle: (request) => ours.Auth(request, config), path: '/auth/session', cookie }
}
