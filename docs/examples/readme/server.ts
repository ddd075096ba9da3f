import { createServer } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

const auth = createAuth({ providers: [GitHub] })

async function answer(request: Request): Promise<Response> {
  if (new URL(request.url).pathname.startsWith('/auth/')) return auth.handler(request)
  const session = await auth.getSession(request)
  return session ? Response.json(session) : Response.redirect(new URL('/auth/signin', request.url))
}

export const server = createServer(createRequestListener(answer)).listen(Number(process.env['PORT'] ?? 3000))
