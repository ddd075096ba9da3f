import { applyPending, findPending, type PendingMigration } from '../../../adapters/kysely-migrations.ts'
import { CommandError, parseArguments } from '../arguments.ts'
import { readVariables } from '../read-variables.ts'
import { reasonOf } from '../reason-of.ts'
import type { Terminal } from '../terminal.ts'
import type { Database } from './database.ts'
import { findDatabase } from './find-database.ts'
import { formatStatement } from './format-statement.ts'

/** Options of the command. */
export const migrateOptions = {
  'dry-run': { type: 'boolean' },
  env: { type: 'string', multiple: true },
  yes: { type: 'boolean', short: 'y' },
} as const

/** The output of `authmachine migrate --help`. */
export const migrateHelp = `Creates the tables of authmachine/adapters/kysely, or updates older ones.

Usage: authmachine migrate [<module>] [options]

Shows the migrations that are pending and their SQL, and asks before it applies
them. It does nothing if the tables are current, and takes a lock, so that
several deployments may run it at once.

<module> exports your Kysely instance, for example as db. Without a module,
the variable DATABASE_URL names the database:

  postgres://user:password@host:5432/name   needs the package pg
  mysql://user:password@host:3306/name      needs mysql2; also for MariaDB
  sqlite:auth.db                            needs Node 22.16 or better-sqlite3

Variables come from the environment, then from .env.local, then from .env.

Options:
  -y, --yes         apply without asking, for scripts
      --dry-run     only show the migrations
      --env <file>  read variables from this file instead of .env.local and
                    .env; can be repeated

Exit codes: 0 the tables are current, or --dry-run was given, 1 nothing was
confirmed, or an error, 2 a usage error.

Examples:
  authmachine migrate src/db.ts
  authmachine migrate --dry-run
  authmachine migrate --yes --env .env.production
`

/**
 * Shows the pending migrations, and applies them if the user agrees.
 *
 * @throws {CommandError} if there is no database, the database refuses a statement, or the user does not agree
 */
export async function runMigrate(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments('migrate', args, migrateOptions)
  const [path, ...more] = positionals
  if (more.length > 0)
    throw new CommandError('Expected at most one module.\n\nRun authmachine migrate --help for examples.', 2)
  const isDry = values['dry-run'] ?? false
  if (isDry && values.yes) throw new CommandError('Choose --dry-run or --yes, not both.', 2)
  await readVariables(values.env, terminal)
  const database = await findDatabase(path, isDry, terminal)
  try {
    const pending = await attempt(database, () => findPending(database.db))
    terminal.print(describePlan(database, pending))
    if (pending.length === 0 || isDry) return
    if (!values.yes) await confirm(terminal)
    const applied = await attempt(database, () => applyPending(database.db))
    terminal.print(
      applied.length > 0 ? `Applied ${applied.join(', ')}.\n` : 'Another process has applied them already.\n',
    )
  } finally {
    await database.close()
  }
}

/** Drivers do not repeat passwords, but a custom one may. */
async function attempt<T>({ name, password }: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandError) throw error
    const reason = reasonOf(error)
    throw new CommandError(
      `The migration failed on ${name}: ${password === '' ? reason : reason.replaceAll(password, '***')}`,
      1,
    )
  }
}

function describePlan({ name }: Database, pending: readonly PendingMigration[]): string {
  if (pending.length === 0) return `The tables are current on ${name}.\n`
  const parts = pending.map(
    (migration) =>
      `-- ${migration.name}\n${migration.statements.map((each) => `${formatStatement(each)}\n`).join('')}`,
  )
  return `${[`Pending on ${name}:\n`, ...parts].join('\n')}\n`
}

async function confirm({ ask }: Terminal): Promise<void> {
  if (!ask) throw new CommandError('Nothing was changed. To apply the migrations, run again with --yes.', 1)
  const answer = await ask('Apply these migrations? [y/N] ')
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.', 1)
}
