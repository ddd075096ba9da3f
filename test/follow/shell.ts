import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Where a reader types commands. */
export interface Shell {
  readonly directory: string
  readonly searchPath: string
}

export interface Typed {
  readonly status: number | null
  readonly output: string
}

/** Milliseconds that one command may take. */
const patience = 600_000
/** Milliseconds until a server answers, on a machine that is busy. */
const startPatience = 180_000

/** Variables of somebody who runs no script of ours and has configured nothing. */
function readEnvironment(searchPath: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|AUTH_|NODE_(ENV|OPTIONS|PATH)$|INIT_CWD$|PORT$)/.test(name),
  )
  return { ...Object.fromEntries(kept), PATH: searchPath, npm_config_prefer_offline: 'true' }
}

/** Types a line, and waits for its end. */
export function type(line: string, { directory, searchPath }: Shell): Typed {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', line], {
    cwd: directory,
    env: readEnvironment(searchPath),
    encoding: 'utf8',
    timeout: patience,
  })
  return { status, output: stdout + stderr }
}

/** Types a line that has to end well. */
export function typeGood(line: string, shell: Shell): string {
  const { status, output } = type(line, shell)
  if (status !== 0) throw new Error(`${line}: exit code ${status}\n${output}`)
  return output
}

/** Types a line that starts a server at the port of `PORT`, requests a path until it answers, and stops the server. */
export async function typeServer(line: string, path: string, shell: Shell): Promise<string> {
  const port = await findFreePort()
  const child = spawn('bash', ['-ec', line], {
    cwd: shell.directory,
    env: { ...readEnvironment(shell.searchPath), PORT: String(port) },
    // A group of its own, so that what npm starts ends with it.
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
      // A request that comes before the server is ready may get no answer at all.
      const signal = AbortSignal.timeout(10_000)
      const response = await fetch(`http://localhost:${port}${path}`, { signal }).catch(() => undefined)
      if (response?.ok) return await response.text()
      if (response) throw new Error(`${line}: ${path} answers ${response.status}\n${output}`)
    }
    throw new Error(`${line}: nothing listens at ${port}\n${output}`)
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
