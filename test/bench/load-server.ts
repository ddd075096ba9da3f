/**
 * The server of `load.ts`: some processes on one port. Prints its address and the place of the users' cookies. For each
 * line that it receives, prints the memory of each process. Ends when its standard input ends.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter } from '../../src/adapters/kysely.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createNodeAuth } from '../../src/node.ts'
import * as app from './application.ts'
import { ours } from './contestants.ts'

const [, , processes, sessions, database = ''] = process.argv

/** Database connections of one process. */
const poolSize = 20

function serve(): void {
  const config = { ...app.configure(), useSecureCookies: true }
  const pool = new Pool({ connectionString: database, max: poolSize })
  const adapter = kyselyAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) }))
  const stored = { ...config, providers: config.providers.slice(0, 1), adapter }
  const { handler } = createNodeAuth(createAuth(database === '' ? config : stored))
  const server = createServer((incoming, outgoing) => void handler(incoming, outgoing)).listen(
    0,
    '127.0.0.1',
    () => process.send?.((server.address() as AddressInfo).port),
  )
  process.on('message', () => {
    globalThis.gc?.()
    const { heapUsed: heap, rss } = process.memoryUsage()
    process.send?.({ heap, rss })
  })
}

/** The data for the cookies of the client: the tokens of a hundred users, or the number of sessions in the store. */
async function createCookies(): Promise<string> {
  if (database !== '') return JSON.stringify({ pattern: Number(sessions) })
  const seal = (sub: string) =>
    ours.encode({ token: { ...app.claims, sub }, secret: app.secret, salt: app.cookies.session })
  return JSON.stringify({ tokens: await Promise.all(Array.from({ length: 100 }, (_, n) => seal(String(n)))) })
}

async function ask(worker: Worker): Promise<unknown> {
  const answer = once(worker, 'message')
  worker.send('memory')
  return (await answer)[0]
}

async function lead(): Promise<void> {
  const workers = Array.from({ length: Number(processes) }, () => cluster.fork())
  const [port] = await Promise.all(
    workers.map(async (worker) => (await once(worker, 'message'))[0] as unknown),
  )
  console.log(
    JSON.stringify({ url: `http://127.0.0.1:${String(port)}/auth/session`, cookies: await createCookies() }),
  )
  for await (const _ of createInterface(process.stdin))
    console.log(JSON.stringify(await Promise.all(workers.map(ask))))
  for (const worker of workers) worker.kill()
}

if (cluster.isPrimary) await lead()
else serve()
