import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { createAuth, type AuthConfig } from 'authmachine'

/** Serves a site with one page on a free port. */
export async function startSite(config: AuthConfig) {
  const auth = createAuth(config)
  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname.startsWith('/auth/')) return auth.handler(request)
    const session = await auth.getSession(request)
    // The provider chooses the name, so it may contain markup.
    const name = (session?.user?.name ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const text = session?.user ? `Hello ${name}` : '<a href="/auth/signin">Sign in</a>'
    return new Response(`<!doctype html><title>Site</title><p>${text}</p>`, {
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
  }
  const server = createServer(createRequestListener(answer)).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}`, close: () => server.close() }
}
