import { createServer } from 'node:http'
import { createAuth } from '../../../src/index.ts'
import { createNodeAuth } from '../../../src/node.ts'
import GitHub from '../../../src/providers/github.ts'

// AUTH_TRUST_HOST=true, AUTH_SECRET, AUTH_GITHUB_ID and AUTH_GITHUB_SECRET come from the environment.
const { handler } = createNodeAuth(createAuth({ providers: [GitHub] }), { trustProxy: true })

/** Only the proxy may reach it: listen on 127.0.0.1, or in a private network. */
export const server = createServer(handler)
