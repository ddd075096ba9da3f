import type { Kysely } from 'kysely'
import type { Migrator } from 'kysely/migration'
import { once } from '../async/once.ts'
import { databaseOf } from './kysely-database.ts'
import { type Schema, schemas } from './kysely-schema.ts'
import { lockFile } from './kysely-sqlite-lock.ts'
import { loadKysely } from './load-kysely.ts'

/** A migration for Kysely's `Migrator`. The name of this type differs between versions of Kysely. */
interface Migration {
  up(db: Kysely<unknown>): Promise<void>
  down(db: Kysely<unknown>): Promise<void>
}

/**
 * The tables as Kysely migrations by name, for sites that run them together with their own migrations. The names of
 * tables and columns are the same in every database; types differ only where a database requires it.
 */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [
    name,
    { up: async (db) => apply(db, schema), down: async (db) => revert(db, schema) },
  ]),
)

/** A migration that has not been applied. */
export interface PendingMigration {
  readonly name: string
  /** Its SQL statements. */
  readonly statements: readonly string[]
}

/** Returns the migrations that `migrate` would apply, without changing anything. */
export async function findPending<DB>(db: Kysely<DB>): Promise<readonly PendingMigration[]> {
  const all = await (await openMigrator(db)).getMigrations()
  return Promise.all(
    all
      .filter(({ executedAt }) => executedAt === undefined)
      .map(async ({ name }) => {
        const list = (await schemas[name]?.list(db)) ?? []
        return { name, statements: list.map((statement) => statement.compile().sql) }
      }),
  )
}

/**
 * Creates the tables, or updates older ones. Does nothing if they are current. Records its migrations in its own table
 * (`authmachine_migration`). Takes a lock, so that several processes may start at once.
 *
 * @param db the database of the adapter
 * @throws the error of the database, for example if tables with these names exist already
 * @example
 * await migrate(new Kysely({ dialect }))
 */
export async function migrate<DB>(db: Kysely<DB>): Promise<void> {
  await applyPending(db)
}

/** Applies the pending migrations as `migrate` does. @returns the names of the migrations that this call applied */
export async function applyPending<DB>(db: Kysely<DB>): Promise<readonly string[]> {
  return lockFile(db, async (locked) => {
    const { error, results = [] } = await (await openMigrator(locked)).migrateToLatest()
    if (error === undefined) return results.map(({ migrationName }) => migrationName)
    throw error instanceof Error ? error : new Error('The migration failed', { cause: error })
  })
}

async function openMigrator<DB>(db: Kysely<DB>): Promise<Migrator> {
  const KyselyMigrator = await loadMigrator()
  return new KyselyMigrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: 'authmachine_migration',
    migrationLockTableName: 'authmachine_migration_lock',
  })
}

/** Kysely 0.29 moved its migrator to a subpath. Bundlers ignore a missing import inside `try`. */
const loadMigrator = once(async (): Promise<typeof Migrator> => {
  try {
    return (await import('kysely/migration')).Migrator
  } catch {
    const earlier: object = await loadKysely()
    return (earlier as { readonly Migrator: typeof Migrator }).Migrator
  }
})

async function apply(db: Kysely<unknown>, { tables, list }: Schema): Promise<void> {
  await refuseTakenNames(db, tables)
  for (const statement of await list(db)) await statement.execute()
}

/** MariaDB and MySQL cannot roll back the tables that were created before a name turns out to be taken. */
async function refuseTakenNames(db: Kysely<unknown>, tables: readonly string[]): Promise<void> {
  if (databaseOf(db) !== 'mysql') return
  const existing = await db.introspection.getTables()
  const taken = existing.map(({ name }) => name).filter((name) => tables.includes(name))
  if (taken.length > 0) throw new Error(`Tables with these names exist already: ${taken.join(', ')}`)
}

async function revert({ schema }: Kysely<unknown>, { tables, columns = {} }: Schema): Promise<void> {
  for (const [table, column] of Object.entries(columns))
    await schema.alterTable(table).dropColumn(column).execute()
  for (const name of tables.toReversed()) await schema.dropTable(name).execute()
}
