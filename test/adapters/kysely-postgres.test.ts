import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { judgeAll } from './judge-all.ts'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'
import { judgeKyselyRaces } from './kysely-races.ts'

let server: PostgresServer
let db: Kysely<unknown>
let serializable: Kysely<unknown>

function connect(config: PoolConfig = {}): Kysely<unknown> {
  const pool = new Pool({ connectionString: server.url, ...config })
  pool.on('error', () => {})
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}

beforeAll(async () => {
  server = await startPostgres()
  db = connect()
  serializable = connect({ options: '-c default_transaction_isolation=serializable', max: 30 })
  await migrate(db)
}, 60_000)

afterAll(async () => {
  await Promise.all([db.destroy(), serializable.destroy()])
  await server.stop()
})

const name = 'Kysely on PostgreSQL'

async function open(): Promise<Kysely<unknown>> {
  await sql`delete from users`.execute(db)
  await sql`delete from verification_token`.execute(db)
  await sql`delete from keyed_records`.execute(db)
  return db
}

judge({ name, open: async () => ({ adapter: kyselyAdapter(await open()), close() {} }) })
judgeKysely(name, open)
judgeKyselyRaces(name, open)

const openSerializable = async () => {
  await open()
  return serializable
}

judgeKyselyRaces(`${name}, serializable`, openSerializable)

describe('PostgreSQL at the isolation level serializable', { timeout: 60_000 }, () => {
  it('CC-05 SU-01 CB-08 satisfies the contract, because operations that lose a conflict run again', async () => {
    const open = async () => ({ adapter: kyselyAdapter(await openSerializable()), close() {} })
    await judgeAll({ name: 'serializable', open })
  })

  it('CB-08 passes a conflict within a transaction of the caller on, because only the caller can start again', async () => {
    const store = kyselyAdapter(await openSerializable())
    await store.createUser({ id: 'u', email: 'ada@example.com', emailVerified: null })
    const work = serializable.transaction().execute(async (trx) => {
      const within = kyselyAdapter(trx)
      await within.getUser('u')
      await store.updateUser({ id: 'u', name: 'Ada' })
      await within.updateUser({ id: 'u', name: 'Grace' })
    })
    await expect(work).rejects.toMatchObject({ code: '40001' })
    expect((await store.getUser('u'))?.name).toBe('Ada')
  })
})
