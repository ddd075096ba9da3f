import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { kyselyAdapter } from '../../src/adapters/kysely.ts'
import { redisAdapter } from '../../src/adapters/redis.ts'

/** Database connections of one process. */
const poolSize = 20

/** Connects to PostgreSQL or Redis. */
export async function connectStore(url: string) {
  if (url.startsWith('redis:')) {
    const client = createClient({ url })
    client.on('error', () => {})
    await client.connect()
    return { adapter: redisAdapter(client), close: () => client.destroy() }
  }
  const pool = new Pool({ connectionString: url, max: poolSize })
  pool.on('error', () => {})
  // A pool only handles errors of idle connections, and an unhandled error ends the process.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  return { adapter: kyselyAdapter(db), close: () => void db.destroy() }
}
