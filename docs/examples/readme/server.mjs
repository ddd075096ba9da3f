import { createServer } from 'node:http'
import { createAuth } from '../../../src/index.ts'
import { createNodeAuth } from '../../../src/node.ts'
import GitHub from '../../../src/providers/github.ts'

const auth = createNodeAuth(createAuth({ providers: [GitHub] }))

const listener = auth.listener(async (request, response) => {
  if (request.url?.startsWith('/auth/')) return auth.handler(request, response)
  const session = await auth.requireSession(request, response)
  if (session) response.end(JSON.stringify(session))
})

export const server = createServer(listener).listen(process.env.PORT ?? 3000)
