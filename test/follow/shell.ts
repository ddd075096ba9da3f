import { spawn, spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from '../support/free-port.ts'

/** A shell with the working directory of the reader. */
export interface Shell {
  readonly directory: string
  readonly searchPath: string
}

export interface Typed {
  readonly status: number | null
  readonly output: string
}

/** Time limit of one command, in milliseconds. */
const patience = 600_000
/** Time limit for a server to respond on a busy machine, in milliseconds. */
const startPatience = 180_000

/** The environment of a user who does not run this repository's scripts and has configured nothing. */
function readEnvironment(searchPath: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|AUTH_|NODE_(ENV|OPTIONS|PATH)$|INIT_CWD$|PORT$)/.test(name),
  )
  return { ...Object.fromEntries(kept), PATH: searchPath, npm_config_prefer_offline: 'true' }
}

/** Runs a command and waits for its end. */
export function type(line: string, { directory, searchPath }: Shell): Typed {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', line], {
    cwd: directory,
    env: readEnvironment(searchPath),
    encoding: 'utf8',
    timeout: patience,
  })
  return { status, output: stdout + stderr }
}

/** Runs a command that must succeed. */
export function typeGood(line: string, shell: Shell): string {
  const { status, output } = type(line, shell)
  if (status !== 0) throw new Error(`${line}: exit code ${status}\n${output}`)
  return output
}

/**
 * Runs a command that starts a server at the port of `PORT`, requests a path until it responds, and stops the server.
 */
export async function typeServer(line: string, path: string, shell: Shell): Promise<string> {
  const port = await findFreePort()
  const child = spawn('bash', ['-ec', line], {
    cwd: shell.directory,
    env: { ...readEnvironment(shell.searchPath), PORT: String(port) },
    // A separate process group, so that everything npm starts ends with it.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    for (
      const end = Date.now() + startPatience;
      Date.now() < end && child.exitCode === null;
      await setTimeout(100)
    ) {
      // A request may fail before the server is ready.
      const signal = AbortSignal.timeout(10_000)
      const response = await fetch(`http://localhost:${port}${path}`, { signal }).catch(() => undefined)
      if (response?.ok) return await response.text()
      if (response) throw new Error(`${line}: ${path} responds with ${response.status}\n${output}`)
    }
    throw new Error(`${line}: no response at port ${port}\n${output}`)
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}
