/**
 * A session server for `npm run bench -- http`, selected by name. Prints its address and the cookie to send. On SIGUSR2 it
 * prints the processor time it has used.
 */
import { createServer, type RequestListener } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createNodeAuth } from '../../src/node.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import * as app from './application.ts'
import { openBareReads } from './floors/bare.ts'
import { loadPeer } from './load-peer.ts'
import { openServers } from './servers.ts'

interface AuthExpress {
  readonly openExpress: (config: AuthConfig, basePath: string) => RequestListener
}

/** The cookies have the names of a site with https, although the benchmark connects without it. */
const config = (): AuthConfig => ({ ...app.configure(), useSecureCookies: true })

/** Servers on node:http. The others use Request and Response, through the same adapter. */
const direct: Readonly<Record<string, () => Promise<RequestListener>>> = {
  'authmachine/node': async () => createNodeAuth(createAuth(config())).handler,
  '@auth/express': async () =>
    (await loadPeer<AuthExpress>('auth-express')).openExpress(config(), app.basePath),
  'direct floor': async () => openBareReads().serveSession,
  'node:http alone': async () => (_, outgoing) => outgoing.end('{"user":{"name":"Ada Lovelace"}}'),
}

const name = process.argv[2] ?? ''
const { handle, path, cookie } = await openServers(name)
const listener =
  (await direct[name]?.()) ?? createRequestListener(handle, { host: 'app.test', protocol: 'https:' })
const server = createServer(listener).listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}${path}`, cookie }))
})
process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage()
  console.log(user + system)
})
