import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { findFreePort } from './free-port.ts'

/** A MariaDB server of this process. */
export interface MariadbServer {
  /** For any driver. The database is empty when the server starts. */
  readonly url: string
  /** Creates another empty database. @returns its URL */
  readonly createDatabase: () => Promise<string>
  /** Close connections first. */
  readonly stop: () => Promise<void>
}

/**
 * The reason why tests cannot start MariaDB, or undefined if they can. In CI, the tests then fail instead of skipping.
 */
export function whyNoMariadb(): string | undefined {
  if (process.env['CI'] || spawnSync('mariadbd', ['--version'], programs).status === 0) return undefined
  return 'mariadbd is not installed: apt-get install mariadb-server'
}

/** Debian installs the server where only root looks for programs. */
const programs = { env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/usr/local/sbin` } }

/** MariaDB refuses to run as root, so it runs as nobody. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const account = isRoot ? ['--user=nobody'] : []

const settings = [
  '--bind-address=127.0.0.1',
  '--max-connections=300',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=8M',
  '--performance-schema=OFF',
]

/**
 * Starts `mariadbd` with the defaults of MariaDB, on a free port of the loopback interface and in a temporary folder,
 * which is removed at the end. It trades durability for speed.
 */
export async function startMariadb(): Promise<MariadbServer> {
  const folder = await mkdtemp(join(tmpdir(), 'authmachine-mariadb-'))
  try {
    if (isRoot) await chown(folder, nobody, nobody)
    // A server that starts removes all temporary tables that it finds, even those of another running server.
    const data = ['--no-defaults', ...account, `--datadir=${join(folder, 'data')}`, `--tmpdir=${folder}`]
    const fast = ['--auth-root-authentication-method=normal', '--skip-test-db', '--innodb-log-file-size=8M']
    await finish(run('mariadb-install-db', [...data, ...fast]))
    const port = await findFreePort()
    const socket = `--socket=${join(folder, 'mariadb.sock')}`
    const server = run('mariadbd', [...data, socket, `--port=${port}`, ...settings])
    await becomeReady(server)
    const urlOf = (database: string) => `mysql://root@127.0.0.1:${port}/${database}`
    let databases = 0
    const createDatabase = async () => {
      const database = `database_${(databases += 1)}`
      const connection = await createConnection(urlOf('mysql'))
      await connection.query(`create database ${database}`)
      await connection.end()
      return urlOf(database)
    }
    return {
      url: await createDatabase(),
      createDatabase,
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

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}

function run(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { ...programs, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

async function finish(child: ChildProcess): Promise<void> {
  const output = collect(child)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`mariadb-install-db ended with ${code}: ${output()}`)
}

/** Resolves when the server accepts connections. */
async function becomeReady(server: ChildProcess): Promise<void> {
  const output = collect(server)
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', () => {
      if (output().includes('ready for connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`mariadbd ended with ${code}: ${output()}`)))
  })
}

function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text = `${text}${chunk.toString()}`.slice(-10_000)
    })
  return () => text
}
