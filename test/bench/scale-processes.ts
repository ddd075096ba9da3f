/**
 * `node test/bench/scale-processes.ts [seconds]`: sessions read per second by one process and by two, with one
 * PostgreSQL server on the same machine. Runs alternate, so that other load on the machine affects both. Prints the
 * median of five.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { startPostgres } from '../support/postgres.ts'

const seconds = Number(process.argv[2] ?? 5)
const rounds = 5
const worker = fileURLToPath(new URL('scale-worker.ts', import.meta.url))

/** Creates a hundred signed-in users. @returns their session tokens */
async function fill(url: string): Promise<string[]> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }),
  })
  await migrate(db)
  const store = kyselyAdapter(db)
  const expires = new Date(Date.now() + 30 * 86_400_000)
  const tokens = Array.from({ length: 100 }, (_, n) => `token-${n}`)
  for (const [n, sessionToken] of tokens.entries()) {
    const email = `user-${n}@example.com`
    const { id } = await store.createUser({ id: '', email, emailVerified: null })
    await store.createSession({ sessionToken, userId: id, expires })
  }
  await db.destroy()
  return tokens
}

/** The number of sessions that `count` processes read per second when they start together. */
async function run(count: number, url: string, tokens: readonly string[]): Promise<number> {
  const children = Array.from({ length: count }, () => fork(worker, [url, String(seconds), ...tokens]))
  await Promise.all(children.map((child) => once(child, 'message')))
  const counts = children.map(async (child) => {
    const counted = once(child, 'message')
    child.send('begin')
    return Number((await counted)[0])
  })
  const all = await Promise.all(counts)
  return all.reduce((sum, read) => sum + read, 0) / seconds
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const server = await startPostgres()
try {
  const tokens = await fill(server.url)
  const measured = new Map<number, number[]>([
    [1, []],
    [2, []],
  ])
  for (let round = 0; round < rounds; round++)
    for (const [count, rates] of measured) rates.push(await run(count, server.url, tokens))
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model}, Node ${process.version}`
  console.log(`${machine}, PostgreSQL on the same machine, load average ${loadavg()[0]?.toFixed(1)}`)
  for (const [count, rates] of measured)
    console.log(
      `${count} process${count > 1 ? 'es' : ''}: ${Math.round(median(rates))} sessions read per second ` +
        `(${rates.map((rate) => Math.round(rate)).join(', ')})`,
    )
} finally {
  await server.stop()
}
