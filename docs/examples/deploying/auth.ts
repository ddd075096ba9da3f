import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter, migrate } from '../../../src/adapters/kysely.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

/** Every server calls this when it starts. */
export async function openAuth() {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'] })
  // A lost connection rejects its query. Without these listeners, it would also end the process.
  pool.on('error', console.error)
  pool.on('connect', (client) => void client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await migrate(db)
  return { auth: createAuth({ adapter: kyselyAdapter(db), providers: [GitHub] }), db }
}
