import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter, migrate } from '../../../src/adapters/kysely.ts'

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] })
// The pool replaces broken idle connections. Without this listener, the error would end the process.
pool.on('error', console.error)
export const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
await migrate(db)

export const adapter = kyselyAdapter(db)
