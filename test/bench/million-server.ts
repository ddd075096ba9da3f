/**
 * One of the servers of `million.ts`. Sends its port. For each user that it receives, ends the sessions of the user and
 * sends the milliseconds that this took.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createNodeAuth } from '../../src/node.ts'
import * as app from './application.ts'
import { connectStore } from './connect-store.ts'

const { adapter } = await connectStore(process.argv[2] ?? '')
const { providers, ...config } = app.configure()
const auth = createAuth({
  ...config,
  useSecureCookies: true,
  providers: providers.slice(0, 1),
  adapter,
  logger: { error() {}, warn() {} },
})
const { handler } = createNodeAuth(auth)
const server = createServer((incoming, outgoing) => void handler(incoming, outgoing))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

process.on('message', (userId: string) => {
  const startedAt = performance.now()
  void auth.revokeSessions(userId).then(() => process.send?.(performance.now() - startedAt))
})
process.once('disconnect', () => process.exit())
