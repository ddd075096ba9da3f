import { existsSync } from 'node:fs'
import type * as kyselyModule from 'kysely'
import type { Dialect, MysqlPool, PostgresPool, SqliteDatabase } from 'kysely'
import { nodeSqlite } from '../../../adapters/kysely-node-sqlite.ts'
import { CommandError } from '../arguments.ts'
import { reasonOf } from '../reason-of.ts'
import type { Terminal } from '../terminal.ts'

type KyselyModule = typeof kyselyModule

/** How long a server may take to accept a connection, in milliseconds. */
const patience = 10_000

/** How long another process may take to write to an SQLite file, in milliseconds. Meanwhile, this one is blocked. */
const writing = 1000

interface Emitter {
  on(event: 'error', listener: () => void): unknown
}

interface Pg {
  readonly Pool: new (config: object) => PostgresPool &
    Emitter & {
      on(event: 'connect', listener: (client: Emitter) => void): unknown
    }
}

interface Mysql2 {
  createPool(config: object): MysqlPool
}

interface BetterSqlite3 {
  readonly default: new (path: string) => SqliteDatabase
}

/** Opens PostgreSQL with `pg`. */
export async function openPostgres(
  { PostgresDialect }: KyselyModule,
  url: string,
  terminal: Terminal,
): Promise<Dialect> {
  const { Pool } = (await loadDriver('pg', terminal)) as Pg
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: patience })
  // A lost connection rejects the statement. Without these listeners, it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new PostgresDialect({ pool })
}

/** Opens MySQL or MariaDB with `mysql2`. */
export async function openMysql(
  { MysqlDialect }: KyselyModule,
  url: string,
  terminal: Terminal,
): Promise<Dialect> {
  const { createPool } = (await loadDriver('mysql2', terminal)) as Mysql2
  return new MysqlDialect({ pool: createPool({ uri: url, connectTimeout: patience }) })
}

/** Opens an SQLite file with the driver of Node, or `better-sqlite3` where Node has none. */
export async function openSqlite(
  { SqliteDialect }: KyselyModule,
  path: string,
  isDry: boolean,
  terminal: Terminal,
): Promise<Dialect> {
  // This database has no tables, like a file that does not exist.
  const place = isDry && !existsSync(path) ? ':memory:' : path
  return new SqliteDialect({ database: async () => openFile(place, terminal) })
}

async function openFile(path: string, terminal: Terminal): Promise<SqliteDatabase> {
  const builtIn = await import('node:sqlite').catch(() => undefined)
  if (builtIn) return nodeSqlite(new builtIn.DatabaseSync(path, { timeout: writing }))
  const { default: Database } = (await loadDriver('better-sqlite3', terminal)) as BetterSqlite3
  return new Database(path)
}

async function loadDriver(name: string, terminal: Terminal): Promise<object> {
  try {
    return await terminal.importPackage(name)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    throw new CommandError(
      isMissing
        ? `The package ${name} is not installed in this project. Run: npm install ${name}`
        : `The package ${name} cannot be loaded: ${reasonOf(error)}`,
      1,
    )
  }
}
