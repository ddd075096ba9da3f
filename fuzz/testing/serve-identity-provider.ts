import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  mockIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from './identity-provider.ts'

/** An identity provider that listens on this machine. */
export interface ServedIdentityProvider extends IdentityProvider {
  /** Ends it, with the connections that are open. */
  readonly close: () => Promise<void>
}

/**
 * Serves the provider of {@link mockIdentityProvider} on loopback, for browsers, and for applications that run in a
 * process of their own. Its issuer is `http://127.0.0.1:<port>`.
 *
 * @throws {Error} when the port is taken
 * @example
 * const provider = await serveIdentityProvider({ users: [{ sub: '1', name: 'Ada' }] })
 * const app = startApp({ AUTH_COMPANY_ISSUER: provider.issuer })
 */
export async function serveIdentityProvider(
  options: IdentityProviderOptions & {
    /** @default 0, which is any that is free */
    readonly port?: number
  },
): Promise<ServedIdentityProvider> {
  const { createRequest, sendResponse } = await import('@remix-run/node-fetch-server')
  const { port = 0, ...rest } = options
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const provider = mockIdentityProvider({ ...rest, issuer: `http://127.0.0.1:${portOf(server.address())}` })
  server.on('request', (incoming, outgoing) => {
    const answer = async () => {
      const response = await provider.handle(createRequest(incoming, outgoing))
      // A fault of the network has no status that could be sent.
      if (response.type === 'error') outgoing.destroy()
      else await sendResponse(outgoing, response)
    }
    answer().catch(() => outgoing.destroy())
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
