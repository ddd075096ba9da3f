import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { openPort } from '../../docs/examples/demo/serve.ts'
import type { App } from './apps.ts'
import { top } from './run.ts'

/** Starts an application at an origin. @returns what ends it @throws Error when it ends by itself */
export async function serveApp(
  { directory, serve }: App,
  origin: string,
  environment: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
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
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilItPrints(child, origin)
  return async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await ended
  }
}

/** What a server prints first says where it listens. */
async function untilItPrints(child: ChildProcess, origin: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      if (text.includes(origin)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The application ended with ${code}`)))
    child.once('error', reject)
  })
}

/**
 * An origin that nobody listens at, and nobody will until it is used: no port that systems hand out by themselves, and for
 * each process ten of its own.
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
