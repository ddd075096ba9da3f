/**
 * `npm run bench -- cold`: measures in turn the time from the start of a new process to its first session response. It
 * measures the built package (`npm run build`), as users install it, and a bundle of it, as most platforms deploy it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, peers, top } from './bundle.ts'
import { quantile } from './measure.ts'
import { present, show, type Asked, type Table } from './present.ts'
import { judge, tell, type Verdict } from './targets.ts'

const built = join(top, 'dist/index.js')

const options = `{ secret: 'a secret that is long enough for this', trustHost: true, providers: [] }`
const ask = `new Request('http://app.test/auth/session')`
const auth = (module: string) =>
  `const { Auth } = await import('${module}'); const response = await Auth(${ask}, { ...${options}, basePath: '/auth' })`

/** The programs to start, by name. Bundles are written to the folder. */
function createPrograms(folder: string): Readonly<Record<string, string>> {
  const bundled = (name: string, core: string, from: string) => {
    bundle({ source: `export { Auth } from '${core}'`, from, platform: 'node' }, join(folder, name))
    return auth(pathToFileURL(join(folder, name, 'out/entry.js')).href)
  }
  return {
    authmachine: auth(pathToFileURL(built).href),
    '@auth/core': auth('@auth/core'),
    'better-auth, memory store': `
      const { betterAuth } = await import('better-auth')
      const { memoryAdapter } = await import('better-auth/adapters/memory')
      const database = memoryAdapter({ user: [], session: [], account: [], verification: [] })
      const auth = betterAuth({ baseURL: 'http://app.test', basePath: '/auth', secret: 'x'.repeat(40), database, telemetry: { enabled: false } })
      const response = await auth.handler(new Request('http://app.test/auth/get-session'))`,
    'authmachine, bundled': bundled('ours', './dist/index.js', top),
    '@auth/core, bundled': bundled('core', '@auth/core', peers),
    'the runtime alone (a Request, a Response)': `${ask}; const response = Response.json(null)`,
    'the runtime, and XState (a first transition)': `
      ${ask}; const response = Response.json(null)
      const { createMachine, initialTransition, transition } = await import('${import.meta.resolve('xstate')}')
      const machine = createMachine({ initial: 'here', states: { here: { on: { go: 'there' } }, there: {} } })
      transition(machine, initialTransition(machine)[0], { type: 'go' })`,
  }
}

/** Runs a program and returns its milliseconds. The program must respond with status 200 and null. */
function time(program: string): number {
  const source = `const startedAt = performance.now(); ${program}
    const took = performance.now() - startedAt
    if (response.status !== 200 || (await response.text()) !== 'null') throw new Error('Expected a response with status 200 and null')
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

/** The files of this library that its first session request loads. */
function countModules(): number {
  const program = `const { registerHooks } = await import('node:module')
    let count = 0
    registerHooks({ load: (url, context, next) => ((count += url.startsWith('${pathToFileURL(join(top, 'dist')).href}') ? 1 : 0), next(url, context)) })
    ${auth(pathToFileURL(built).href)}
    if (response.ok) console.log(count)`
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }),
  )
}

/** Milliseconds of each program, one measurement per round. */
function timeInTurn(rounds: number): { readonly name: string; readonly took: number[] }[] {
  const folder = mkdtempSync(join(tmpdir(), 'authmachine-cold-'))
  try {
    const starts = Object.entries(createPrograms(folder)).map(([name, program]) => ({
      name,
      program,
      took: [] as number[],
    }))
    for (let round = 0; round < rounds; round++)
      for (const { program, took } of starts) took.push(time(program))
    return starts
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function timeStarts({ isQuick }: Asked): Promise<Table[]> {
  if (!existsSync(built)) throw new Error('The package is not built: npm run build')
  if (!existsSync(join(peers, 'node_modules')))
    throw new Error(`The peers are not installed: npm ci --prefix ${peers}`)
  const times = timeInTurn(isQuick ? 5 : 41)
  const peer = times.find(({ name }) => name === '@auth/core')?.took ?? []
  const verdicts: Verdict[] = [judge('cold start, modules of authmachine', 'modules', countModules())]
  const rows = times.map(({ name, took }) => {
    const ratio = quantile(
      took.map((each, round) => each / (peer[round] ?? Number.NaN)),
      0.5,
    )
    if (name === 'authmachine') verdicts.unshift(judge('cold start', 'of @auth/core', ratio))
    return [
      name,
      show(quantile(took, 0.5)),
      `${show(quantile(took, 0.25))} to ${show(quantile(took, 0.75))}`,
      ratio.toFixed(2),
      name === 'authmachine' ? verdicts.map(tell).join(', modules ') : '',
    ]
  })
  return [
    {
      title: 'Cold start',
      about:
        'Milliseconds to import the package and respond to the first session request, each time in a new process. ' +
        `A new process loads ${verdicts.at(-1)?.value} files of authmachine. Bundles are minified esbuild bundles.`,
      head: ['what', 'ms', 'quartiles', 'of @auth/core', 'target'],
      rows,
      verdicts,
    },
  ]
}

await present(timeStarts)
