import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'

const name = 'Kysely on better-sqlite3'

async function open(): Promise<Kysely<unknown>> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrate(db)
  return db
}

judge({
  name,
  async open() {
    const db = await open()
    return { adapter: kyselyAdapter(db), close: () => db.destroy() }
  },
})
judgeKysely(name, open)
