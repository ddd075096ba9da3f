import { createServer } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { auth } from './auth.js'

/** @param {Request} request */
async function handle(request) {
  if (new URL(request.url).pathname.startsWith('/auth/')) return auth.handler(request)
  const { session, cookies } = await auth.getSessionWithCookies(request)
  const response = new Response(session ? `Hello, ${session.user?.name}` : 'Sign in at /auth/signin')
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  // A shared cache would send these cookies to other visitors.
  if (cookies.length > 0) response.headers.set('Cache-Control', 'private, no-store')
  return response
}

export const server = createServer(createRequestListener(handle))
server.listen(process.env.PORT ?? 3000)
