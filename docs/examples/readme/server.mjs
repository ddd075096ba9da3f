import { createServer } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

const auth = createAuth({ providers: [GitHub] })

/** @param {Request} request */
async function handle(request) {
  if (new URL(request.url).pathname.startsWith('/auth/')) return auth.handler(request)
  const session = await auth.getSession(request)
  return session ? Response.json(session) : Response.redirect(new URL('/auth/signin', request.url))
}

export const server = createServer(createRequestListener(handle)).listen(process.env.PORT ?? 3000)
