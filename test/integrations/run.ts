import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top of the repository. */
export const top = fileURLToPath(new URL('../../', import.meta.url))

/** Generated files that are kept from run to run. */
export const cache = join(top, '.cache/integrations')

const noTelemetry = {
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
}

/**
 * Runs a command with the binaries of its directory first in the path.
 * @returns its output
 * @throws Error with the output if the command fails
 */
export async function run(directory: string, command: string, args: readonly string[]): Promise<string> {
  const bins = [join(directory, 'node_modules/.bin'), join(top, 'node_modules/.bin')]
  const PATH = [...bins, process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, TMPDIR: cache, ...noTelemetry }
  const child = spawn(command, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text))
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (status === 0) return printed.stdout
  throw new Error(`${command} ${args.join(' ')} in ${directory}\n${printed.stdout}\n${printed.stderr}`)
}

let free = availableParallelism()
const waiting: (() => void)[] = []

/** Runs at most one task per processor at a time, in order, and prints how long each took. */
export async function time(name: string, act: () => Promise<boolean>): Promise<void> {
  if (free > 0) free -= 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    const startedAt = performance.now()
    const wasToDo = await act()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(wasToDo ? `ok  ${name} (${seconds} s)` : `ok  ${name} (unchanged)`)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
}
