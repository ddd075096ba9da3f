import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { forecast, recordDuration } from './durations.ts'

/** A named command. */
export interface Part {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** The parts of a lane run in sequence; the lanes of a stage run in parallel. */
export type Stage = readonly (readonly Part[])[]

interface PartResult {
  readonly name: string
  readonly code: number
  readonly seconds: number
}

/** Node keeps compiled modules. Many tests start processes and threads, which load the same modules. */
const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(new URL('../../.cache/compiled', import.meta.url)) }

/** A script of package.json as a part. */
export function script(name: string, ...args: readonly string[]): Part {
  const command = ['run', '--silent', name, ...(args.length > 0 ? ['--', ...args] : [])]
  return { name: [name, ...args].join(' '), command: 'npm', args: command }
}

/**
 * Runs stages in sequence, and prints how long each part took. After a failure no further part starts.
 *
 * @param command the command whose duration is announced, and recorded if all parts pass
 * @returns the exit code of the first part that failed, else 0
 */
export async function runStages(stages: readonly Stage[], command?: string): Promise<number> {
  const startedAt = performance.now()
  if (command !== undefined) console.log(forecast(command))
  const results: PartResult[] = []
  const hasFailed = () => results.some(({ code }) => code !== 0)
  const runLane = async (lane: readonly Part[], isAlone: boolean) => {
    for (const part of lane) if (!hasFailed()) results.push(await runPart(part, isAlone))
  }
  for (const lanes of stages) await Promise.all(lanes.map((lane) => runLane(lane, lanes.length === 1)))
  const ran = new Set(results.map(({ name }) => name))
  const notRun = stages.flat(2).filter(({ name }) => !ran.has(name))
  const seconds = (performance.now() - startedAt) / 1000
  console.log(summarize(results, notRun, seconds))
  if (command !== undefined && !hasFailed()) recordDuration(command, seconds)
  return results.find(({ code }) => code !== 0)?.code ?? 0
}

/** The output of a part that runs in parallel is held back until it ends. */
async function runPart({ name, command, args, env }: Part, isAlone: boolean): Promise<PartResult> {
  const title = `\n> ${name}\n`
  if (isAlone) process.stdout.write(title)
  const startedAt = performance.now()
  const child = spawn(command, args, {
    env: { ...process.env, ...compileCache, ...env },
    stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void printed.push(chunk))
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      printed.push(Buffer.from(`${error.message}\n`))
      resolve(1)
    })
    // A part that was ended by a signal has no exit code.
    child.on('close', (status) => resolve(status ?? 1))
  })
  if (!isAlone) process.stdout.write(title)
  process.stdout.write(Buffer.concat(printed))
  return { name, code, seconds: (performance.now() - startedAt) / 1000 }
}

function summarize(results: readonly PartResult[], notRun: readonly Part[], seconds: number): string {
  const rows = results.map(
    ({ name, code, seconds: took }) =>
      `  ${code === 0 ? 'passed' : 'FAILED'}  ${name.padEnd(34)} ${took.toFixed(1).padStart(6)} s`,
  )
  const failed = results.filter(({ code }) => code !== 0).length
  const total = `${results.length - failed} passed, ${failed} failed, in ${seconds.toFixed(1)} s`
  return ['', ...rows, ...notRun.map(({ name }) => `  not run ${name}`), '', total].join('\n')
}
