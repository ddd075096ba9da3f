/**
 * `npm run bench -- http`: session requests over node:http. Each server is a separate process; autocannon loads them in
 * turn. Numbers of connections can be given.
 */
import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { quantile } from './measure.ts'
import { present, show, type Asked, type Table } from './present.ts'
import { judge, targets, tell, type Verdict } from './targets.ts'

const cannon = fileURLToPath(new URL('peers/node_modules/autocannon/autocannon.js', import.meta.url))
const program = fileURLToPath(new URL('http-server.ts', import.meta.url))

const names = [
  'authmachine/node',
  '@auth/express',
  'direct floor',
  'node:http alone',
  'authmachine',
  'better-auth, memory store',
] as const
type Name = (typeof names)[number]

interface Server {
  readonly name: Name
  readonly child: ChildProcessByStdio<null, Readable, null>
  readonly url: string
  readonly cookie: string
}

interface Shot {
  readonly requests: { readonly average: number; readonly total: number }
  readonly latency: { readonly p99: number }
  readonly '2xx': number
  readonly non2xx: number
  readonly errors: number
}

interface Measured {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p99: number
  /** Microseconds of processor time per request, which does not grow on a busy machine. */
  readonly cpu: number
}

/** @throws when a response is not a session */
async function open(name: Name): Promise<Server> {
  const child = spawn(process.execPath, [program, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { url, cookie } = JSON.parse(await readLine(child)) as { url: string; cookie: string }
  const answer = await fetch(url, { headers: { cookie } })
  if (!(await answer.text()).includes('Ada Lovelace')) throw new Error(`${name} does not return a session`)
  return { name, child, url, cookie }
}

async function readLine(child: Server['child']): Promise<string> {
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return line.toString()
}

function fire({ url, cookie }: Server, connections: number, seconds: number): Shot {
  const args = ['--json', '-c', String(connections), '-d', String(seconds), '-H', `cookie=${cookie}`, url]
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  return JSON.parse(
    execFileSync(process.execPath, [cannon, ...args], { encoding: 'utf8', stdio: [...stdio] }),
  ) as Shot
}

async function readCpu({ child }: Server): Promise<number> {
  child.kill('SIGUSR2')
  return Number(await readLine(child))
}

/** @throws when a request fails */
async function shoot(server: Server, connections: number, seconds: number): Promise<Measured> {
  const before = await readCpu(server)
  const shot = fire(server, connections, seconds)
  const cpu = (await readCpu(server)) - before
  if (shot.non2xx + shot.errors > 0 || shot['2xx'] === 0) throw new Error(`${server.name} failed under load`)
  return { perSecond: shot.requests.average, p99: shot.latency.p99, cpu: cpu / shot.requests.total }
}

interface Compared {
  readonly cells: readonly string[]
  readonly verdicts: readonly Verdict[]
}

async function measureAt(
  servers: readonly Server[],
  connections: number,
  { isQuick }: Asked,
): Promise<Compared[]> {
  const [rounds, seconds] = isQuick ? [3, 2] : [9, 3]
  const results = servers.map((): Measured[] => [])
  for (const server of servers) fire(server, connections, 1)
  for (let round = 0; round < rounds; round++)
    for (const [at, server] of servers.entries()) results[at]?.push(await shoot(server, connections, seconds))
  const [ours = []] = results
  return servers.map(({ name }, at) => {
    const theirs = results[at] ?? []
    const median = (of: keyof Measured) =>
      quantile(
        theirs.map((measured) => measured[of]),
        0.5,
      )
    const ratio = (of: keyof Measured) =>
      quantile(
        theirs.map((measured, round) => (ours[round]?.[of] ?? Number.NaN) / measured[of]),
        0.5,
      )
    const row = [
      String(connections),
      name,
      show(median('perSecond')),
      show(median('cpu')),
      String(median('p99')),
    ]
    if (at === 0) return { cells: [...row, '', '', '', ''], verdicts: [] }
    const rate = ratio('perSecond')
    const verdicts = judgeBeside(name, connections, rate, ratio('p99'))
    // The p99 of the constant response can be 0, because it is measured in whole milliseconds.
    const ratios = [rate, 1 / ratio('cpu'), ratio('p99')].map((value) =>
      Number.isFinite(value) ? value.toFixed(2) : '',
    )
    return { cells: [...row, ...ratios, verdicts.map(tell).join(', p99 ')], verdicts }
  })
}

/** Judges `authmachine/node` beside a server that it has targets for. */
function judgeBeside(name: Name, connections: number, rate: number, p99: number): Verdict[] {
  if (!targets.some(({ inFlight }) => inFlight === connections)) return []
  const judgeOurs = (unit: string) => judge('authmachine/node', unit, rate, connections)
  if (name === '@auth/express') return [judgeOurs('times @auth/express')]
  if (name !== 'direct floor') return []
  const late = judge('authmachine/node, p99', 'of the direct floor', p99, connections)
  return [judgeOurs('times the direct floor'), late]
}

async function timeServers(asked: Asked): Promise<Table[]> {
  const servers: Server[] = []
  const rows: Compared[] = []
  try {
    for (const name of names) servers.push(await open(name))
    const given = asked.names.map(Number)
    for (const connections of given.length > 0 ? given : [16, 256])
      rows.push(...(await measureAt(servers, connections, asked)))
  } finally {
    for (const { child } of servers) child.kill()
  }
  return [
    {
      title: 'Over HTTP',
      about:
        'GET session with a JWT cookie, with a client on the same machine. The first four servers run on node:http: the direct floor is the shortest code for this response without Request and Response, and node:http alone sends a constant. The last two are handlers behind `@remix-run/node-fetch-server`. The ratios compare authmachine/node: how many times as many requests it serves, in time and in processor time, and its 99th percentile as a multiple.',
      head: [
        'connections',
        'server',
        'requests per second',
        'CPU µs',
        'p99 ms',
        'ratio',
        'in CPU',
        'p99 ratio',
        'target',
      ],
      rows: rows.map(({ cells }) => cells),
      verdicts: rows.flatMap(({ verdicts }) => verdicts),
    },
  ]
}

await present(timeServers)
