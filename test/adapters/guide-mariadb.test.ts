import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { kyselyAdapter } from '../../src/adapters/kysely.ts'
import { type MariadbServer, startMariadb, whyNoMariadb } from '../support/mariadb.ts'
import { statementsOf } from './guide-statements.ts'
import { judgeAll } from './judge-all.ts'

const reason = whyNoMariadb()

describe.skipIf(reason)(`the adapter guide for MariaDB${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let server: MariadbServer

  beforeAll(async () => {
    server = await startMariadb()
  }, 60_000)

  afterAll(async () => {
    await server?.stop()
    vi.unstubAllEnvs()
  })

  it('opens a store with the MariaDB program, and cleans it up', async () => {
    vi.stubEnv('DATABASE_URL', await server.createDatabase())
    const { adapter, db } = await import('../../docs/examples/adapters/mariadb.ts')
    await adapter.createUser({ id: 'u', email: 'ada@example.com', emailVerified: null })
    await adapter.createSession({ sessionToken: 't', userId: 'u', expires: new Date('2030-01-01') })
    const { rows } =
      await sql`select userId from sessions where expires > '2029-12-31T23:59:59.999Z'`.execute(db)
    expect(rows).toEqual([{ userId: 'u' }])
    await db.destroy()
  })

  it('gives SQL statements for MariaDB whose tables satisfy the contract', { timeout: 60_000 }, async () => {
    const pool = createPool({ uri: await server.createDatabase(), multipleStatements: true })
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
    await sql.raw(await statementsOf('mariadb')).execute(db)
    await judgeAll({
      name: 'statements for MariaDB',
      async open() {
        await sql`delete from users`.execute(db)
        await sql`delete from verification_token`.execute(db)
        await sql`delete from keyed_records`.execute(db)
        return { adapter: kyselyAdapter(db), close() {} }
      },
    })
    await db.destroy()
  })
})
