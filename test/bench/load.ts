/**
 * `npm run bench -- load`: session requests over node:http, from 256 connections for two minutes, with sessions in JWTs
 * and in PostgreSQL with 1,000,000 rows, on one process and on two. The client, the servers and the database share the
 * machine. A number of seconds can be given.
 */
import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../support/postgres.ts'
import { fillPostgres } from './fill-store.ts'
import { present, show, type Asked, type Table } from './present.ts'

const connections = 256
const server = fileURLToPath(new URL('load-server.ts', import.meta.url))
const client = fileURLToPath(new URL('load-client.ts', import.meta.url))

/** The result of autocannon. Latencies are milliseconds. */
export interface Shot {
  readonly requests: { readonly average: number; readonly total: number }
  readonly latency: { readonly p50: number; readonly p99: number; readonly p99_9: number }
  readonly errors: number
  readonly timeouts: number
  readonly non2xx: number
  /** Responses that contain no session. */
  readonly mismatches: number
}

/** Megabytes of all processes of a server. */
interface Memory {
  readonly heap: number
  readonly rss: number
}

/** One or several processes on one port. */
class Server {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: AsyncIterator<string>

  constructor(processes: number, sessions: number, database = '') {
    const args = ['--expose-gc', server, String(processes), String(sessions), database]
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]()
  }

  async #read<Line>(): Promise<Line> {
    const { value } = await this.#lines.next()
    return JSON.parse(String(value)) as Line
  }

  /** The address and the cookies of the users. */
  async open(): Promise<{ readonly url: string; readonly cookies: string }> {
    return this.#read()
  }

  async readMemory(): Promise<Memory> {
    this.#child.stdin.write('memory\n')
    const all = await this.#read<Memory[]>()
    const sum = (of: keyof Memory) => all.reduce((total, each) => total + each[of], 0) / 1e6
    return { heap: sum('heap'), rss: sum('rss') }
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin.end()
    await ended
  }
}

/** Sends requests for some seconds, each for another user. */
function fire(url: string, cookies: string, seconds: number): Shot {
  const args = [client, url, cookies, String(connections), String(seconds)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })) as Shot
}

async function measureLoad(processes: number, sessions: number, seconds: number, database?: string) {
  const opened = new Server(processes, sessions, database)
  try {
    const { url, cookies } = await opened.open()
    fire(url, cookies, Math.min(10, seconds))
    const before = await opened.readMemory()
    const shot = fire(url, cookies, seconds)
    const after = await opened.readMemory()
    const failures = shot.errors + shot.timeouts + shot.non2xx + shot.mismatches
    const { p50, p99, p99_9 } = shot.latency
    return [
      database ? `PostgreSQL, ${sessions.toLocaleString('en-GB')} sessions` : 'JWT',
      String(processes),
      show(shot.requests.average),
      ...[p50, p99, p99_9].map(String),
      `${before.heap.toFixed(0)} → ${after.heap.toFixed(0)}`,
      `${before.rss.toFixed(0)} → ${after.rss.toFixed(0)}`,
      `${failures} of ${shot.requests.total.toLocaleString('en-GB')}`,
    ]
  } finally {
    await opened.close()
  }
}

async function measureAll({ isQuick, names }: Asked): Promise<Table[]> {
  const seconds = Number(names[0] ?? (isQuick ? 5 : 120))
  const sessions = isQuick ? 10_000 : 1_000_000
  const rows: string[][] = []
  const run = async (processes: number, database?: string) => {
    rows.push(await measureLoad(processes, sessions, seconds, database))
    console.error(`measured: ${rows.at(-1)?.slice(0, 2).join(', ')} processes`)
  }
  for (const processes of [1, 2]) await run(processes)
  const postgres = await startPostgres()
  try {
    await fillPostgres(postgres.url, sessions)
    for (const processes of [1, 2]) await run(processes, postgres.url)
  } finally {
    await postgres.stop()
  }
  return [
    {
      title: 'Under load',
      about:
        `GET session on \`authmachine/node\` with ${connections} connections for ${seconds} seconds, after a warm-up of ` +
        'ten. The requests belong to many users in turn. The client, the database and all server processes share the ' +
        'machine. Latencies are milliseconds. Memory is that of all server processes in megabytes, before and after: ' +
        'the heap after garbage collection, and the resident memory. An error is a failed request, a timeout, or a ' +
        'response without the session.',
      head: [
        'sessions',
        'processes',
        'requests per second',
        'p50',
        'p99',
        'p99.9',
        'heap',
        'resident',
        'errors',
      ],
      rows,
    },
  ]
}

await present(measureAll)
