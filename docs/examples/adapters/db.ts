import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] })
pool.on('error', console.error)
pool.on('connect', (client) => void client.on('error', () => {}))
export const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
