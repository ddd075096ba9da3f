import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** A running server. */
export interface Served {
  readonly port: number
  /** The output so far, apart from the port. */
  readonly printed: () => string
  readonly end: () => Promise<void>
}

/**
 * Starts a program that serves on a free port.
 *
 * @param readPort reads the port from one line of the stream that reports it; undefined if the line has none
 * @param reports the file descriptor of that stream
 * @throws Error with the output if the program ends before it listens
 */
export async function serveProcess(
  command: string,
  args: readonly string[],
  directory: string,
  readPort: (line: string) => number | undefined,
  reports: 1 | 3,
): Promise<Served> {
  const child = spawn(command, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => void (printed += text.toString()))
  const ended = once(child, 'exit')
  const end = async () => {
    child.kill()
    await ended
  }
  const port = await Promise.race([findPort(child.stdio[reports] as Readable, readPort), ended])
  if (typeof port === 'number') return { port, printed: () => printed, end }
  await end()
  throw new Error(`${command} did not start: ${printed}`)
}

async function findPort(
  stream: Readable,
  readPort: (line: string) => number | undefined,
): Promise<number | undefined> {
  for await (const line of createInterface(stream)) {
    const port = readPort(line)
    if (port !== undefined) return port
  }
  return undefined
}
