import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { kyselyAdapter, migrate, nodeSqlite } from '../../src/adapters/kysely.ts'
import { judge } from './judge.ts'

judge('kysely-node-sqlite', {
  name: 'Kysely on node:sqlite',
  async open() {
    const database = nodeSqlite(new DatabaseSync(':memory:'))
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
    await migrate(db)
    return { adapter: kyselyAdapter(db), close: () => db.destroy() }
  },
})
