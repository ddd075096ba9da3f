import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { kyselyAdapter, migrate } from '../../../src/adapters/kysely.ts'

const pool = createPool(process.env['DATABASE_URL'] ?? 'mysql://localhost/auth')
export const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
await migrate(db)

export const adapter = kyselyAdapter(db)
