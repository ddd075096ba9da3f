import { createServer } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { auth } from './auth.ts'

async function answer(request: Request): Promise<Response> {
  if (new URL(request.url).pathname.startsWith('/auth/')) return auth.handler(request)
  const { session, cookies } = await auth.getSessionWithCookies(request)
  const response = new Response(session ? `Hello, ${session.user?.name}` : 'Sign in at /auth/signin')
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export const server = createServer(createRequestListener(answer))
server.listen(Number(process.env['PORT'] ?? 3000))
