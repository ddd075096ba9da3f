/**
 * `npm run bench -- http`: session requests over node:http. Each server is a separate process; autocannon loads them in
 * turn.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { quantile } from './measure.ts'
import { present, show, type Asked, type Table } from './present.ts'

const cannon = fileURLToPath(new URL('peers/node_modules/autocannon/autocannon.js', import.meta.url))
const server = fileURLToPath(new URL('http-server.ts', import.meta.url))
const connections = 16

interface Shot {
  readonly requests: { readonly average: number }
  readonly '2xx': number
  readonly non2xx: number
  readonly errors: number
}

/** Requests per second. @throws when a response is not a session */
async function shoot(name: string, seconds: number): Promise<number> {
  const child = spawn(process.execPath, [server, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { url, cookie } = JSON.parse(line.toString()) as { url: string; cookie: string }
    const answer = await fetch(url, { headers: { cookie } })
    if (!(await answer.text()).includes('Ada Lovelace')) throw new Error(`${name} does not return a session`)
    const fire = (duration: number) =>
      JSON.parse(
        execFileSync(
          process.execPath,
          [
            cannon,
            '--json',
            '-c',
            String(connections),
            '-d',
            String(duration),
            '-H',
            `cookie=${cookie}`,
            url,
          ],
          { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
        ),
      ) as Shot
    fire(1)
    const shot = fire(seconds)
    if (shot.non2xx + shot.errors > 0 || shot['2xx'] === 0) throw new Error(`${name} failed under load`)
    return shot.requests.average
  } finally {
    child.kill()
  }
}

async function timeServers({ isQuick }: Asked): Promise<Table[]> {
  const servers = [
    'authmachine',
    'floor',
    '@auth/core',
    'better-auth, memory store',
    'better-auth, JWE cookie cache',
  ]
  const rates = servers.map((name): { name: string; perSecond: number[] } => ({ name, perSecond: [] }))
  for (let round = 0; round < (isQuick ? 2 : 5); round++)
    for (const { name, perSecond } of rates) perSecond.push(await shoot(name, isQuick ? 2 : 4))
  const ours = rates[0]?.perSecond ?? []
  const rows = rates.map(({ name, perSecond }) => {
    const ratio = quantile(
      perSecond.map((rate, round) => (ours[round] ?? Number.NaN) / rate),
      0.5,
    )
    const judged = name === '@auth/core' ? `${ratio >= 6 ? 'met' : 'missed'} (6)` : ''
    return [name, show(quantile(perSecond, 0.5)), name === 'authmachine' ? '' : ratio.toFixed(2), judged]
  })
  return [
    {
      title: 'Over HTTP',
      about: `GET session with a JWT cookie over node:http and the same Request adapter, with ${connections} connections from a client on the same machine. The ratio shows how many times as many requests authmachine serves.`,
      head: ['server', 'requests per second', 'ratio', 'target'],
      rows,
    },
  ]
}

await present(timeServers)
