import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { judge } from './judge.ts'

judge('kysely-better-sqlite3', {
  name: 'Kysely on better-sqlite3',
  async open() {
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
    await migrate(db)
    return { adapter: kyselyAdapter(db), close: () => db.destroy() }
  },
})
