/**
 * `npm run bench -- million` measures four servers with 1,000,000 sessions in PostgreSQL, and then in Redis. They
 * handle session requests at a constant rate while one of them revokes sessions, and then while the store crashes. You
 * can pass another number of sessions as an argument.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../support/postgres.ts'
import { startRedis } from '../support/redis.ts'
import { connectStore } from './connect-store.ts'
import { fillPostgres } from './fill-store.ts'
import { present, show, type Asked, type Table } from './present.ts'
import { percentile, type Reply, sendSteadily } from './steady-load.ts'

const program = fileURLToPath(new URL('million-server.ts', import.meta.url))
const processes = 4
/** Session requests per second, to all servers together. */
const rate = 200

/** A store with the sessions `t0`, `t1` and so on, of the users `u0`, `u1` and so on. */
interface Filled {
  readonly url: string
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

const stores: Readonly<Record<string, (sessions: number) => Promise<Filled>>> = {
  async PostgreSQL(sessions) {
    const server = await startPostgres({ isDurable: true })
    await fillPostgres(server.url, sessions)
    return server
  },
  async Redis(sessions) {
    const server = await startRedis()
    await fillRedis(server.url, sessions)
    return server
  },
}

async function fillRedis(url: string, sessions: number): Promise<void> {
  const { adapter, close } = await connectStore(url)
  const expires = new Date(Date.now() + (30 * 86_400 - 3600) * 1000)
  const create = async (n: number) => {
    await adapter.createUser({ id: `u${n}`, email: `u${n}@example.com`, emailVerified: null })
    await adapter.createSession({ sessionToken: `t${n}`, userId: `u${n}`, expires })
  }
  const together = 500
  for (let from = 0; from < sessions; from += together)
    await Promise.all(
      Array.from({ length: Math.min(together, sessions - from) }, async (_, n) => create(from + n)),
    )
  close()
}

async function startServer(url: string) {
  const child = fork(program, [url], { execArgv: [] })
  process.once('exit', () => child.kill('SIGKILL'))
  const [port] = (await once(child, 'message')) as [number]
  return { child, port }
}

/** Ends the sessions of the given users, one user after another. @returns the milliseconds that each call took */
async function revoke(child: ChildProcess, userIds: readonly string[]): Promise<readonly number[]> {
  const times: number[] = []
  for (const userId of userIds) {
    const done = once(child, 'message')
    child.send(userId)
    times.push(((await done) as [number])[0])
    await setTimeout(50)
  }
  return times
}

async function measureStore(name: string, sessions: number, seconds: number) {
  const store = await (stores[name] ?? stores['PostgreSQL'])?.(sessions)
  if (!store) throw new Error(`Unknown store: ${name}`)
  console.error(`filled: ${name}`)
  const servers = await Promise.all(Array.from({ length: processes }, async () => startServer(store.url)))
  try {
    const ports = servers.map(({ port }) => port)
    const kept = Math.floor(sessions * 0.9)
    const load = { sessions: kept, rate, seconds }
    await sendSteadily(ports, { ...load, seconds: Math.min(5, seconds) })
    const [calm, revocations] = await Promise.all([
      sendSteadily(ports, load),
      revoke(
        servers[0]?.child as ChildProcess,
        Array.from({ length: seconds * 10 }, (_, n) => `u${kept + n}`),
      ),
    ])
    const [crashed] = await Promise.all([
      sendSteadily(ports, load),
      setTimeout(seconds * 200).then(() => store.restart()),
    ])
    console.error(`measured: ${name}`)
    return { calm, revocations, crashed }
  } finally {
    for (const { child } of servers) child.disconnect()
    await store.stop()
  }
}

function describe(name: string, { calm, revocations, crashed }: Awaited<ReturnType<typeof measureStore>>) {
  const times = calm.map(({ ms }) => ms)
  const failed = crashed.filter(({ end }) => end === 'failure')
  return [
    name,
    ...[percentile(times, 0.5), percentile(times, 0.99)].map(show),
    ...[percentile(revocations, 0.5), percentile(revocations, 0.99)].map(show),
    show(outage(crashed) / 1000),
    `${failed.length} of ${crashed.length.toLocaleString('en-GB')}`,
    String([...calm, ...crashed].filter(({ end }) => end === 'signed out').length),
  ]
}

/**
 * Returns the milliseconds from the time at which the first request that failed or took longer than a second was due
 * until the last such request ended.
 */
function outage(replies: readonly Reply[]): number {
  const hit = replies.filter(({ end, ms }) => end !== 'session' || ms > 1000)
  const ends = hit.map(({ due, ms }) => due + ms)
  return hit.length === 0 ? 0 : Math.max(...ends) - Math.min(...hit.map(({ due }) => due))
}

async function measureAll({ isQuick, names }: Asked): Promise<Table[]> {
  const sessions = Number(names[0] ?? (isQuick ? 10_000 : 1_000_000))
  const seconds = isQuick ? 5 : 30
  const rows: string[][] = []
  for (const name of Object.keys(stores))
    rows.push(describe(name, await measureStore(name, sessions, seconds)))
  return [
    {
      title: 'A million sessions',
      about:
        `${processes} servers with ${sessions.toLocaleString('en-GB')} sessions, one per user. They receive ${rate} session ` +
        `requests per second for ${seconds} seconds, each for a different session. Meanwhile, one server ends the sessions ` +
        'of other users with `revokeSessions`, pausing for 50 ms after each call. Then the store crashes under the same load ' +
        'and is restarted at once. Both stores write each change to disk before they reply. The client, the servers and the ' +
        'store share the machine. p50 and p99 are milliseconds from the time at which a request was due. The outage lasts ' +
        'from the first request that failed or took longer than a second to the end of the last one.',
      head: [
        'store',
        'session, p50',
        'p99',
        'revocation, p50',
        'p99',
        'outage, s',
        'failed meanwhile',
        'users signed out',
      ],
      rows,
    },
  ]
}

await present(measureAll)
