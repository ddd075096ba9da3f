import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { customFetch } from '../../src/types/symbols.ts'

/** Opens sites on free ports of this machine, as different sites for a browser. */
export function openLocalSites() {
  const servers: Server[] = []
  return {
    async listen(listener: RequestListener): Promise<number> {
      const server = createServer(listener).listen(0)
      servers.push(server)
      await new Promise((done) => server.once('listening', done))
      return (server.address() as AddressInfo).port
    },
    close() {
      for (const server of servers) server.close()
    },
  }
}

/** A provider with one user. The browser goes to a real page; the requests of the library itself get their responses here. */
export function createLocalProvider<const Authorization>(id: string, authorization: Authorization) {
  return {
    id,
    name: id,
    type: 'oauth' as const,
    clientId: 'client',
    clientSecret: 'secret',
    checks: ['state' as const],
    authorization,
    token: 'https://idp.test/token',
    userinfo: 'https://idp.test/me',
    profile: () => ({ id, name: id, email: `${id}@example.com` }),
    [customFetch]: (url: unknown) =>
      Promise.resolve(
        Response.json(String(url).endsWith('token') ? { access_token: 'a', token_type: 'Bearer' } : { id }),
      ),
  }
}
