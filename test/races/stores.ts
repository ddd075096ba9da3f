import { type Dialect, Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { decodeRecord } from '../../src/adapters/redis-rows.ts'
import { redisAdapter } from '../../src/adapters/redis.ts'
import type { Adapter, AdapterAccount } from '../../src/types/adapter.ts'
import { startMariadb } from '../support/mariadb.ts'
import { startPostgres } from '../support/postgres.ts'
import { startRedis } from '../support/redis.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

/** A store that several processes share. */
export interface SharedStore {
  /** The URL of a PostgreSQL or MariaDB server, or the path of a Redis socket. */
  readonly url: string
  readonly adapter: Adapter
  readonly rowsOf: (table: 'users' | 'accounts' | 'sessions' | 'verification_token') => Promise<Rows>
  /** Changes every account. */
  readonly changeAccounts: (patch: Partial<AdapterAccount>) => Promise<unknown>
  /** Removes all rows. */
  readonly clear: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** `options` are settings of each connection, as in the URL. */
export async function openPostgresStore(options = ''): Promise<SharedStore> {
  const server = await startPostgres()
  const pool = new Pool({ connectionString: server.url })
  pool.on('error', () => {})
  return openSqlStore(`${server.url}${options}`, new PostgresDialect({ pool }), server.stop)
}

export async function openMariadbStore(): Promise<SharedStore> {
  const server = await startMariadb()
  return openSqlStore(server.url, new MysqlDialect({ pool: createPool(server.url) }), server.stop)
}

async function openSqlStore(url: string, dialect: Dialect, stop: () => Promise<void>): Promise<SharedStore> {
  const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect })
  await migrate(db)
  return {
    url,
    adapter: kyselyAdapter(db),
    rowsOf: (table) => db.selectFrom(table).selectAll().execute(),
    changeAccounts: (patch) => db.updateTable('accounts').set(patch).execute(),
    async clear() {
      await sql`delete from users`.execute(db)
      await sql`delete from verification_token`.execute(db)
      await sql`delete from keyed_records`.execute(db)
    },
    async stop() {
      await db.destroy()
      await stop()
    },
  }
}

const kinds = {
  users: 'user',
  accounts: 'account',
  sessions: 'session',
  verification_token: 'token',
} as const

export async function openRedisStore(): Promise<SharedStore> {
  const server = await startRedis()
  const client = createClient({ socket: { path: server.path, tls: false } })
  client.on('error', () => {})
  await client.connect()
  const adapter = redisAdapter(client)
  const rowsOf: SharedStore['rowsOf'] = async (table) => {
    const keys = await client.keys(`{authmachine}:1:${kinds[table]}:*`)
    const rows = await Promise.all(keys.map((key) => client.hGetAll(key)))
    return rows.map((row) => ({ ...decodeRecord(Object.entries(row).flat()) }))
  }
  return {
    url: server.path,
    adapter,
    rowsOf,
    async changeAccounts(patch) {
      for (const account of (await rowsOf('accounts')) as unknown as AdapterAccount[])
        await adapter.updateAccount({ ...account, ...patch })
    },
    async clear() {
      await client.flushAll()
    },
    async stop() {
      client.destroy()
      await server.stop()
    },
  }
}
