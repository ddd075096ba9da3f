import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { kyselyAdapter, migrate, nodeSqlite } from '../../src/adapters/kysely.ts'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'

const name = 'Kysely on node:sqlite'

async function open(): Promise<Kysely<unknown>> {
  const database = nodeSqlite(new DatabaseSync(':memory:'))
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
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
