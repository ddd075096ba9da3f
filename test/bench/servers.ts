import * as app from './application.ts'
import { claims, openBetterAuthServer, ours, type AuthLibrary, type OpenBetterAuth } from './contestants.ts'
import { createFloor } from './floor.ts'
import { loadPeer } from './load-peer.ts'

export interface SessionServer {
  readonly handle: (request: Request) => Response | Promise<Response>
  readonly path: string
  /** The cookie of a signed-in user. */
  readonly cookie: string
}

/** Opens the session handler of the contestant with this name. */
export async function openServers(name: string): Promise<SessionServer> {
  if (name.startsWith('better-auth')) {
    const { openBetterAuth } = await loadPeer<{ openBetterAuth: OpenBetterAuth }>('better-auth')
    const { handler, cookie } = await openBetterAuthServer(
      openBetterAuth,
      name.includes('cache') ? 'jwe' : undefined,
    )
    return { handle: handler, path: '/auth/get-session', cookie }
  }
  const library =
    name === '@auth/core' ? (await loadPeer<{ library: AuthLibrary }>('auth-core')).library : ours
  const token = await library.encode({ token: claims, secret: app.secret, salt: app.cookies.session })
  const cookie = `${app.heldCookies}; ${app.cookies.session}=${token}`
  const config = app.configure()
  const handle =
    name === 'floor' ? createFloor().readSession : (request: Request) => library.Auth(request, config)
  return { handle, path: '/auth/session', cookie }
}
