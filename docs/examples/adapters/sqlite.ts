import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { kyselyAdapter, migrate, nodeSqlite } from '../../../src/adapters/kysely.ts'

const database = nodeSqlite(new DatabaseSync(process.env['DATABASE_FILE'] ?? 'auth.db'))
const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
await migrate(db)

export const adapter = kyselyAdapter(db)
