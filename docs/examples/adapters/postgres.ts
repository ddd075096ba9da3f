import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter, migrate } from '../../../src/adapters/kysely.ts'

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] })
// A lost connection rejects its query. Without these listeners, it would also end the process.
pool.on('error', console.error)
pool.on('connect', (client) => void client.on('error', () => {}))
export const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
await migrate(db)

export const adapter = kyselyAdapter(db)
