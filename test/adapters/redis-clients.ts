import { Redis } from 'ioredis'
import { createClient } from 'redis'
import type { RedisClient } from '../../src/adapters/redis.ts'

/** An open client of one of the supported packages. */
export interface OpenClient {
  readonly client: RedisClient
  /** Sends any command. */
  readonly send: (name: string, ...args: string[]) => Promise<unknown>
  readonly close: () => void
}

/** How to open a client of each package on the socket of a server. */
export const openers: Readonly<Record<string, (path: string) => Promise<OpenClient>>> = {
  async 'node-redis'(path) {
    const client = createClient({ socket: { path, tls: false } })
    client.on('error', () => {})
    await client.connect()
    return { client, send: (...command) => client.sendCommand(command), close: () => client.destroy() }
  },
  async ioredis(path) {
    const client = new Redis({ path, lazyConnect: true })
    client.on('error', () => {})
    await client.connect()
    return {
      client,
      send: (name, ...args) => client.call(name, ...args),
      close: () => client.disconnect(),
    }
  },
}
