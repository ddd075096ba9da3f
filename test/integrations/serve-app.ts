import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { openPort } from '../../docs/examples/demo/serve.ts'
import type { App } from './apps.ts'
import { top } from './run.ts'

/** A running application. */
export interface Served {
  /** Fulfilled when it responds. @throws Error when it exits */
  readonly ready: Promise<void>
  /** The text that it has written to stderr. */
  readonly errors: () => string
  readonly end: () => Promise<void>
}

/** Starts an application at an origin. Unless it is quiet, its stderr is shown. */
export function serveApp(
  { directory, serve = [], proxy }: App,
  origin: string,
  environment: Readonly<Record<string, string>>,
  isQuiet = false,
): Served {
  const { hostname, port } = new URL(origin)
  const child = spawn(process.execPath, [...serve], {
    cwd: join(top, directory),
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      HOST: hostname,
      PORT: port,
      ORIGIN: origin,
      AUTH_URL: origin,
      ...proxy?.environment,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
    if (!isQuiet) process.stderr.write(text)
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return {
    ready: untilItPrints(child, `:${port}`),
    errors: () => errors,
    async end() {
      child.kill()
      await ended
    },
  }
}

/** Waits until a server prints its port, since some print localhost and some an IP address. */
async function untilItPrints(child: ChildProcess, port: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      if (text.includes(port)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The application exited with ${code}`)))
    child.once('error', reject)
  })
}

/**
 * An origin with a free port, outside the range that systems assign automatically. Each process has its own ten ports.
 */
export async function findFreeOrigin(): Promise<string> {
  const first = 20_000 + ((process.pid * 10) % 12_000)
  for (let number = first; number < first + 10; number += 1) {
    const port = await openPort('localhost', number).catch(() => undefined)
    if (!port) continue
    await port.close()
    return port.origin
  }
  throw new Error(`Ports ${first} to ${first + 9} are all taken`)
}
