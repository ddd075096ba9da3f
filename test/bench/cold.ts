/**
 * `npm run bench:cold`: from the start of a program to its first session answered, in a process each, in turn. Ours is
 * the built package (`npm run build`), as users have it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { quantile } from './measure.ts'
import { present, show, type Asked, type Table } from './present.ts'

const top = new URL('../../', import.meta.url)
const peers = new URL('peers/', import.meta.url)

const options = `{ secret: 'a secret that is long enough for this', trustHost: true, providers: [] }`
const ask = `new Request('http://app.test/auth/session')`
const auth = (module: string) =>
  `const { Auth } = await import('${module}'); const response = await Auth(${ask}, { ...${options}, basePath: '/auth' })`

const programs: Readonly<Record<string, string>> = {
  authmachine: auth(new URL('dist/src/index.js', top).href),
  'the runtime alone (a Request, a Response)': `${ask}; const response = Response.json(null)`,
  '@auth/core': auth('@auth/core'),
  'better-auth, memory store': `
    const { betterAuth } = await import('better-auth')
    const { memoryAdapter } = await import('better-auth/adapters/memory')
    const database = memoryAdapter({ user: [], session: [], account: [], verification: [] })
    const auth = betterAuth({ baseURL: 'http://app.test', basePath: '/auth', secret: 'x'.repeat(40), database, telemetry: { enabled: false } })
    const response = await auth.handler(new Request('http://app.test/auth/get-session'))`,
}

/** Milliseconds of a program; it has to answer null with status 200. */
function time(program: string): number {
  const source = `const startedAt = performance.now(); ${program}
    const took = performance.now() - startedAt
    if (response.status !== 200 || (await response.text()) !== 'null') throw new Error('No such session was asked for')
    console.log(took)`
  const args = ['--input-type=module', '--eval', source]
  return Number(
    execFileSync(process.execPath, args, {
      cwd: peers,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
}

async function timeStarts({ isQuick }: Asked): Promise<Table[]> {
  if (!existsSync(new URL('dist/src/index.js', top))) throw new Error('There is no package: npm run build')
  if (!existsSync(new URL('node_modules', peers)))
    throw new Error(`No peers: npm ci --prefix ${pathToFileURL(peers.pathname).pathname}`)
  const times = Object.keys(programs).map((name): { name: string; took: number[] } => ({ name, took: [] }))
  for (let round = 0; round < (isQuick ? 5 : 21); round++)
    for (const { name, took } of times) took.push(time(programs[name] ?? ''))
  const peer = times.find(({ name }) => name === '@auth/core')?.took ?? []
  const rows = times.map(({ name, took }) => {
    const ratio = quantile(
      took.map((each, round) => each / (peer[round] ?? Number.NaN)),
      0.5,
    )
    const judged = name === 'authmachine' ? `${ratio <= 0.6 ? 'met' : 'missed'} (0.6)` : ''
    return [
      name,
      show(quantile(took, 0.5)),
      `${show(quantile(took, 0.25))} to ${show(quantile(took, 0.75))}`,
      ratio.toFixed(2),
      judged,
    ]
  })
  return [
    {
      title: 'Cold start',
      about:
        'Milliseconds to import the package and answer the first session request, in a process of its own each time.',
      head: ['what', 'ms', 'quartiles', 'of @auth/core', 'target'],
      rows,
    },
  ]
}

await present(timeStarts)
