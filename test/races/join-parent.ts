/** The part that every program of several processes shares. It reaches the provider through the parent process. */
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { kyselyRevocations } from '../../src/adapters/kysely-revocations.ts'
import { kyselyAdapter } from '../../src/adapters/kysely.ts'
import { redisAdapter } from '../../src/adapters/redis.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import { createTokenReader } from '../../src/handler/get-access-token.ts'
import { platform } from '../../src/types/symbols.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { RevocationStore } from '../../src/types/revocation.ts'
import { pack, packAnswer, unpack, unpackAnswer, type Message } from './messages.ts'

interface Store {
  readonly adapter: Adapter
  readonly revocations?: RevocationStore
  readonly close: () => Promise<unknown>
}

/** What a program builds its configuration from. */
export interface Joined {
  readonly store: Store
  readonly send: (message: Message) => void
  /** Serves the requests of the parent. */
  readonly serve: (config: AuthConfig) => void
}

/** Connects to the store at this URL, or path of a socket. */
export async function joinParent(url: string): Promise<Joined> {
  const store = await connect(url)
  const asked = new Map<number, (response: Response) => void>()
  let questions = 0
  let time: number | undefined
  const send = (message: Message) => void process.send?.(message)
  const askParent: typeof fetch = async (input, init) => {
    const id = (questions += 1)
    const answer = new Promise<Response>((resolve) => asked.set(id, resolve))
    send({ kind: 'fetch', id, request: await pack(new Request(input, init)) })
    return answer
  }
  return {
    store,
    send,
    serve(given) {
      const config = { ...given, [platform]: { fetch: askParent, now: () => time ?? Date.now() } }
      const answer = createHandler()
      const readToken = createTokenReader()
      process.on('message', (message: Message) => {
        if (message.kind === 'request') {
          time = message.time
          void Promise.resolve(answer(unpack(message.request), config)).then(async (response) =>
            send({ kind: 'answer', id: message.id, answer: await packAnswer(response as Response) }),
          )
        }
        if (message.kind === 'access-token')
          void readToken(config, { provider: 'idp', providerAccountId: message.providerAccountId })
            .catch(describe)
            .then((token) => send({ kind: 'token', id: message.id, text: JSON.stringify(token) }))
        if (message.kind === 'answer') asked.get(message.id)?.(unpackAnswer(message.answer))
        if (message.kind === 'end') void store.close().then(() => process.disconnect())
      })
      send({ kind: 'ready' })
    },
  }
}

async function connect(place: string): Promise<Store> {
  if (place.startsWith('postgres:')) return connectPostgres(place)
  return place.startsWith('mysql:') ? connectMariadb(place) : connectRedis(place)
}

function connectMariadb(uri: string): Store {
  const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ uri, connectionLimit: 8 }) }) })
  return { adapter: kyselyAdapter(db), close: () => db.destroy() }
}

function connectPostgres(connectionString: string): Store {
  const pool = new Pool({ connectionString, max: 8 })
  pool.on('error', () => {})
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  return { adapter: kyselyAdapter(db), revocations: kyselyRevocations(db), close: () => db.destroy() }
}

async function connectRedis(path: string): Promise<Store> {
  const client = createClient({ socket: { path, tls: false } })
  client.on('error', () => {})
  await client.connect()
  return { adapter: redisAdapter(client), close: () => client.close() }
}

/** The text of an error and of its causes. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { err } = (error.cause ?? {}) as { err?: unknown }
  return err === undefined ? error.message : `${error.message}: ${describe(err)}`
}
