import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { afterAll, beforeAll, describe } from 'vitest'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { type MariadbServer, startMariadb, whyNoMariadb } from '../support/mariadb.ts'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'

const reason = whyNoMariadb()
if (reason) console.warn(`The tests of the Kysely adapter on MariaDB were skipped: ${reason}`)

describe.skipIf(reason)(`MariaDB${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let server: MariadbServer
  let db: Kysely<unknown>

  beforeAll(async () => {
    server = await startMariadb()
    db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: createPool(server.url) }) })
    await migrate(db)
  }, 60_000)

  afterAll(async () => {
    await db?.destroy()
    await server?.stop()
  })

  const name = 'Kysely on MariaDB'

  async function open(): Promise<Kysely<unknown>> {
    await sql`delete from users`.execute(db)
    await sql`delete from verification_token`.execute(db)
    return db
  }

  judge({ name, open: async () => ({ adapter: kyselyAdapter(await open()), close() {} }) })
  judgeKysely(name, open)
})
