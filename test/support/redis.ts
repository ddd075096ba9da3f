import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

/** A Redis server of this process. */
export interface RedisServer {
  /** The path of its Unix socket. */
  readonly path: string
  /** Its port on the loopback interface. */
  readonly port: number
  /** For any client. */
  readonly url: string
  /** Ends the server without saving anything, as a crash would, and starts it again on the same files. */
  readonly restart: () => Promise<void>
  /** Close connections first. */
  readonly stop: () => Promise<void>
}

/** The reason why tests cannot start Redis, or undefined if they can. In CI, the tests then fail instead of skipping. */
export function whyNoRedis(): string | undefined {
  if (process.env['CI'] || spawnSync('redis-server', ['--version']).status === 0) return undefined
  return 'redis-server is not installed: apt-get install redis-server'
}

/** Every write is on disk before the server replies. */
const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']

/**
 * Starts `redis-server` on a Unix socket in a temporary folder, which is removed at the end, and on a free port of the
 * loopback interface.
 */
export async function startRedis(more: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'authmachine-redis-'))
  const path = join(folder, 'redis.sock')
  const port = await findFreePort()
  const places = ['--bind', '127.0.0.1', '--port', String(port), '--unixsocket', path, '--dir', folder]
  const start = () => run(path, [...places, ...settings, ...more])
  let server = await start()
  return {
    path,
    port,
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await end(server, 'SIGKILL')
      server = await start()
    },
    async stop() {
      await end(server, 'SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function run(path: string, args: readonly string[]): Promise<ChildProcess> {
  await rm(path, { force: true })
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let log = ''
  child.stdout.on('data', (chunk: Buffer) => (log = `${log}${chunk.toString()}`.slice(-10_000)))
  await once(child, 'spawn')
  // The server replies as soon as it has loaded its files.
  while (!(await answers(path))) {
    if (hasEnded(child)) throw new Error(`redis-server ended with ${child.exitCode}: ${log}`)
    await setTimeout(20)
  }
  return child
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = (await once(socket, 'data')) as [Buffer]
    return reply.toString() === '+PONG\r\n'
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function end(server: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (hasEnded(server)) return
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
