import { CompiledQuery, type Driver, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { judgeAll } from './judge-all.ts'

let server: PostgresServer
const opened: Kysely<unknown>[] = []

async function connect(
  config: PoolConfig = {},
  Dialect: typeof PostgresDialect = PostgresDialect,
): Promise<Kysely<unknown>> {
  const pool = new Pool({ connectionString: await server.createDatabase(), ...config })
  pool.on('error', () => {})
  const db = new Kysely<unknown>({ dialect: new Dialect({ pool }) })
  opened.push(db)
  await sql`create schema auth`.execute(db)
  return db
}

/** Connections that lose their state after each transaction, as behind PgBouncer in transaction mode. */
class ForgetfulDialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const release = driver.releaseConnection.bind(driver)
    driver.releaseConnection = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('discard all'))
      return release(connection)
    }
    return driver
  }
}

const listTables = async (db: Kysely<unknown>, schema: string) =>
  (
    await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = ${schema}`.execute(
      db,
    )
  ).rows

beforeAll(async () => {
  server = await startPostgres()
}, 60_000)

afterAll(async () => {
  await Promise.all(opened.map((db) => db.destroy()))
  await server.stop()
})

it('CB-08 satisfies the contract on connections that keep no state', { timeout: 60_000 }, async () => {
  const db = await connect({ max: 5 }, ForgetfulDialect)
  await sql`set search_path = auth`.execute(db)
  expect(await sql<{ search_path: string }>`show search_path`.execute(db)).toMatchObject({
    rows: [{ search_path: '"$user", public' }],
  })
  await migrate(db)
  const open = async () => {
    await sql`truncate users, verification_token, keyed_records cascade`.execute(db)
    return { adapter: kyselyAdapter(db), close() {} }
  }
  await judgeAll({ name: 'pooler', open })
})

describe('the Kysely adapter in another schema of PostgreSQL', { timeout: 60_000 }, () => {
  it('CB-08 satisfies the contract with the schema in search_path', async () => {
    const db = await connect({ options: '-c search_path=auth' })
    await migrate(db)
    expect(await listTables(db, 'public')).toEqual([])
    const open = async () => {
      await sql`truncate users, verification_token, keyed_records cascade`.execute(db)
      return { adapter: kyselyAdapter(db), close() {} }
    }
    await judgeAll({ name: 'search_path', open })
  })

  it('CB-08 satisfies the contract with withSchema', async () => {
    const db = await connect()
    const inSchema = db.withSchema('auth')
    await migrate(inSchema)
    expect(await listTables(db, 'public')).toEqual([])
    const open = async () => {
      await sql`truncate auth.users, auth.verification_token, auth.keyed_records cascade`.execute(db)
      return { adapter: kyselyAdapter(inSchema), close() {} }
    }
    await judgeAll({ name: 'withSchema', open })
  })
})
