import { Redis } from 'ioredis'
import { createClient, RESP_TYPES } from 'redis'
import type { RedisClient } from '../../src/adapters/redis.ts'

/** An open client of one of the supported packages. */
export interface OpenClient {
  readonly client: RedisClient
  /** Sends any command. */
  readonly send: (name: string, ...args: string[]) => Promise<unknown>
  readonly close: () => void
}

type Opener = (path: string) => Promise<OpenClient>

async function openNodeRedis(path: string, options: { readonly RESP?: 2 | 3 } = {}) {
  const client = createClient({ ...options, socket: { path, tls: false } })
  client.on('error', () => {})
  await client.connect()
  return {
    client,
    send: (...command: string[]) => client.sendCommand<unknown>(command),
    close: () => client.destroy(),
  }
}

async function openIoRedis(path: string, options: { readonly stringNumbers?: boolean } = {}) {
  const client = new Redis({ ...options, path, lazyConnect: true })
  client.on('error', () => {})
  await client.connect()
  return {
    client,
    send: (name: string, ...args: string[]) => client.call(name, ...args),
    close: () => client.disconnect(),
  }
}

/** How to open a client of each package on the socket of a server. */
export const openers: Readonly<Record<string, Opener>> = {
  'node-redis': async (path) => openNodeRedis(path),
  ioredis: async (path) => openIoRedis(path),
}

/** How to open clients whose replies have other types. */
export const openersOfTypes: Readonly<Record<string, Opener>> = {
  async 'node-redis that returns bytes'(path) {
    const opened = await openNodeRedis(path)
    return { ...opened, client: opened.client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }) }
  },
  'node-redis with RESP 3': async (path) => openNodeRedis(path, { RESP: 3 }),
  async 'ioredis that returns bytes'(path) {
    const opened = await openIoRedis(path)
    return { ...opened, client: returnBytes(opened.client) }
  },
  'ioredis that returns numbers as text': async (path) => openIoRedis(path, { stringNumbers: true }),
}

/** The methods of the package whose names end in `Buffer`, under the names without this ending. */
function returnBytes(client: Redis): Redis {
  const names = new Map<string | symbol, string>([
    ['evalsha', 'evalshaBuffer'],
    ['eval', 'evalBuffer'],
  ])
  return new Proxy(client, { get: (target, name): unknown => Reflect.get(target, names.get(name) ?? name) })
}
