/** One of several processes that share a database. Handles the requests that it receives as messages. */
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { kyselyAdapter } from '../../src/adapters/kysely.ts'
import { redisAdapter } from '../../src/adapters/redis.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import { createTokenReader } from '../../src/handler/get-access-token.ts'
import { Password } from '../../src/password.ts'
import { platform } from '../../src/symbols.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { pack, packAnswer, unpack, unpackAnswer, type Message } from './messages.ts'

const [, , url = '', issuer] = process.argv
const store = await connect(url)
const asked = new Map<number, (response: Response) => void>()
let questions = 0

const send = (message: Message) => void process.send?.(message)

/** The provider runs in the parent process. */
const askParent: typeof fetch = async (input, init) => {
  const id = (questions += 1)
  const answer = new Promise<Response>((resolve) => asked.set(id, resolve))
  send({ kind: 'fetch', id, request: await pack(new Request(input, init)) })
  return answer
}

const config: AuthConfig = {
  trustHost: true,
  secret: 'a secret of several processes that is long enough',
  adapter: store.adapter,
  session: { strategy: 'database', updateAge: 0 },
  providers: [
    { id: 'idp', name: 'Idp', type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' },
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      sendVerificationRequest: ({ url: link }) => send({ kind: 'mail', url: link }),
    },
    Password({
      sendLink: ({ url: link }) => send({ kind: 'mail', url: link }),
      parameters: '$scrypt$ln=14,r=8,p=1',
    }),
  ],
  logger: { error: (error) => send({ kind: 'error', message: describe(error) }), warn() {}, debug() {} },
  [platform]: { fetch: askParent },
}
const answer = createHandler()
const readToken = createTokenReader()

interface Store {
  readonly adapter: Adapter
  readonly close: () => Promise<unknown>
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
  return { adapter: kyselyAdapter(db), close: () => pool.end() }
}

async function connectRedis(path: string): Promise<Store> {
  const client = createClient({ socket: { path, tls: false } })
  client.on('error', () => {})
  await client.connect()
  return { adapter: redisAdapter(client), close: () => client.close() }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { err } = (error.cause ?? {}) as { err?: unknown }
  return err === undefined ? error.message : `${error.message}: ${describe(err)}`
}

process.on('message', (message: Message) => {
  if (message.kind === 'request')
    void Promise.resolve(answer(unpack(message.request), config)).then(async (response) =>
      send({ kind: 'answer', id: message.id, answer: await packAnswer(response as Response) }),
    )
  if (message.kind === 'access-token')
    void readToken(config, { provider: 'idp', providerAccountId: message.providerAccountId })
      .catch(describe)
      .then((given) => send({ kind: 'token', id: message.id, text: JSON.stringify(given) }))
  if (message.kind === 'answer') asked.get(message.id)?.(unpackAnswer(message.answer))
  if (message.kind === 'end') void store.close().then(() => process.disconnect())
})
send({ kind: 'ready' })
