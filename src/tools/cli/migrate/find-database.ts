import type { Kysely } from 'kysely'
import { escapeControls } from '../../../text/escape-controls.ts'
import { CommandError } from '../arguments.ts'
import { loadModule } from '../load-module.ts'
import type { Terminal } from '../terminal.ts'
import type { Database } from './database.ts'
import { openUrl } from './open-url.ts'

/** Export names to try first. */
const usual = ['db', 'kysely', 'database', 'default']

/**
 * Returns the database that a module exports, or without a module, the database of DATABASE_URL.
 *
 * @param isDry whether an SQLite file that does not exist must not be created
 * @throws {CommandError} if there is no database or no driver for it
 */
export async function findDatabase(
  path: string | undefined,
  isDry: boolean,
  terminal: Terminal,
): Promise<Database> {
  if (path === undefined) return openUrl(readUrl(terminal), isDry, terminal)
  if (/^[a-z]+:/i.test(path))
    throw new CommandError(
      'Set DATABASE_URL instead of passing a URL: other users of this machine can see arguments.',
      2,
    )
  const exported = new Map<string, unknown>(Object.entries(await loadModule('migrate', path, terminal)))
  const db = [...usual, ...exported.keys()].map((name) => exported.get(name)).find(isKysely)
  if (db) return { db, name: `the database of ${path}`, password: '', async close() {} }
  const listed = escapeControls([...exported.keys()].join(', ')) || 'none'
  throw new CommandError(
    `${path} exports no Kysely instance. Its exports: ${listed}.\n` +
      'Export it, without migrating in the same module:\n\n' +
      '  export const db = new Kysely({ dialect })',
    1,
  )
}

function readUrl({ environment }: Terminal): string {
  const url = environment['DATABASE_URL']
  if (url) return url
  throw new CommandError(
    'Expected a module that exports a Kysely instance, or the variable DATABASE_URL.\n\n' +
      'Run authmachine migrate --help for examples.',
    2,
  )
}

/** Not `instanceof`, because the project may have another copy of Kysely. */
function isKysely(value: unknown): value is Kysely<unknown> {
  return typeof value === 'object' && value !== null && 'schema' in value && 'getExecutor' in value
}
