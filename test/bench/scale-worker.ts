/**
 * One process of `scale-processes.ts`: reads sessions from the database until its time is over, and prints how many.
 */
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter } from '../../src/adapters/kysely.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import type { AuthConfig } from '../../src/types/config.ts'

/** Concurrent requests, each with its own connection. */
const atOnce = 8

const [, , url, seconds = '1', ...tokens] = process.argv
const pool = new Pool({ connectionString: url, max: atOnce })
const config: AuthConfig = {
  trustHost: true,
  secret: 'a secret of several processes that is long enough',
  adapter: kyselyAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) })),
  providers: [],
}
const answer = createHandler()

async function readSession(n: number): Promise<void> {
  const cookie = `__Secure-authjs.session-token=${tokens[n % tokens.length]}`
  const request = new Request('https://app.test/auth/session', { headers: { cookie } })
  const response = (await answer(request, config)) as Response
  if ((await response.json()) === null) throw new Error('the session was not read')
}

async function readUntil(end: number): Promise<number> {
  let count = 0
  while (performance.now() < end) await readSession(count++)
  return count
}

async function measure(): Promise<number> {
  const end = performance.now() + Number(seconds) * 1000
  const counts = await Promise.all(Array.from({ length: atOnce }, () => readUntil(end)))
  return counts.reduce((sum, count) => sum + count, 0)
}

await readUntil(performance.now() + 1000)
process.once('message', () => {
  void measure().then(async (count) => {
    process.send?.(count)
    await pool.end()
    process.disconnect()
  })
})
process.send?.('ready')
