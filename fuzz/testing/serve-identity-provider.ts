import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  mockIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from './identity-provider.ts'

/** A mock identity provider that listens on this machine. */
export interface ServedIdentityProvider extends IdentityProvider {
  /** Stops it, and closes open connections. */
  readonly close: () => Promise<void>
}

/**
 * Serves the provider of {@link mockIdentityProvider} on loopback, for browsers, and for applications in
 * a separate process. Its issuer is `http://127.0.0.1:<port>`.
 *
 * @throws {Error} if the port is in use
 * @example
 * const provider = await serveIdentityProvider({ users: [{ sub: '1', name: 'Ada' }] })
 * const app = startApp({ AUTH_COMPANY_ISSUER: provider.issuer })
 */
export async function serveIdentityProvider(
  options: IdentityProviderOptions & {
    /** @default 0, for any free port */
    readonly port?: number
  },
): Promise<ServedIdentityProvider> {
  const { createRequest, sendResponse } = await import('@remix-run/node-fetch-server')
  const { port = 0, ...rest } = options
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const provider = mockIdentityProvider({ ...rest, issuer: `http://127.0.0.1:${portOf(server.address())}` })
  server.on('request', (incoming, outgoing) => {
    const handle = async () => {
      const response = await provider.handle(createRequest(incoming, outgoing))
      // A network error has no status to send.
      if (response.type === 'error') outgoing.destroy()
      else await sendResponse(outgoing, response)
    }
    handle().catch(() => outgoing.destroy())
  })
  return {
    ...provider,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (typeof address === 'object' && address) return address.port
  throw new TypeError('Expected a server that listens on a port')
}
