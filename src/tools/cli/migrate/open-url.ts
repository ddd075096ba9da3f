import type * as kyselyModule from 'kysely'
import type { Dialect } from 'kysely'
import { CommandError } from '../arguments.ts'
import { reasonOf } from '../reason-of.ts'
import type { Terminal } from '../terminal.ts'
import type { Database } from './database.ts'
import { openMysql, openPostgres, openSqlite } from './open-driver.ts'

type KyselyModule = typeof kyselyModule

interface Kind {
  readonly name: string
  readonly open: (kysely: KyselyModule, url: string, terminal: Terminal) => Promise<Dialect>
}

const postgres: Kind = { name: 'PostgreSQL', open: openPostgres }
const mysql: Kind = { name: 'MySQL or MariaDB', open: openMysql }
const servers: ReadonlyMap<string, Kind> = new Map([
  ['postgres:', postgres],
  ['postgresql:', postgres],
  ['mysql:', mysql],
  ['mariadb:', mysql],
])

/**
 * Opens the database of a URL with the driver of the user's project. Connects later, with the first statement.
 *
 * @param isDry whether an SQLite file that does not exist must not be created
 * @throws {CommandError} for a URL of another kind, or without a driver for it. The message does not repeat the URL.
 */
export async function openUrl(text: string, isDry: boolean, terminal: Terminal): Promise<Database> {
  const kysely = await loadKysely()
  const file = /^(?:sqlite|file):(?:\/\/)?([^?]+)/.exec(text)?.[1]
  if (file !== undefined) {
    const dialect = await openSqlite(kysely, file, isDry, terminal)
    return connect(kysely, dialect, `SQLite in ${file}`, '')
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  const kind = url && servers.get(url.protocol)
  if (!kind)
    throw new CommandError(
      'DATABASE_URL must be a URL that starts with postgres://, mysql://, mariadb:// or sqlite:.\n' +
        'Percent-encode special characters of the password.',
      2,
    )
  const dialect = await kind.open(kysely, text, terminal)
  return connect(kysely, dialect, `${kind.name} at ${url.host}${url.pathname}`, decode(url.password))
}

function connect({ Kysely }: KyselyModule, dialect: Dialect, name: string, password: string): Database {
  const db = new Kysely<unknown>({ dialect })
  return { db, name, password, close: () => db.destroy() }
}

async function loadKysely(): Promise<KyselyModule> {
  try {
    return await import('kysely')
  } catch (error) {
    throw new CommandError(`Kysely cannot be loaded: ${reasonOf(error)}\nRun: npm install kysely`, 1)
  }
}

/** The driver also decodes it. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
