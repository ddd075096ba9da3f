import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'

let server: PostgresServer
let db: Kysely<unknown>

beforeAll(async () => {
  server = await startPostgres()
  const pool = new Pool({
    connectionString: server.url,
    options: '-c default_transaction_isolation=serializable',
    max: 50,
  })
  pool.on('error', () => {})
  db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await migrate(db)
}, 60_000)

afterAll(async () => {
  await db.destroy()
  await server.stop()
})

const name = 'Kysely on PostgreSQL, serializable'

async function open(): Promise<Kysely<unknown>> {
  await sql`delete from users`.execute(db)
  await sql`delete from verification_token`.execute(db)
  return db
}

judge({ name, open: async () => ({ adapter: kyselyAdapter(await open()), close() {} }) })
judgeKysely(name, open)
