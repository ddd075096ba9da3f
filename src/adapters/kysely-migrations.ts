import type { Kysely } from 'kysely'
import type { Migrator } from 'kysely/migration'

/** A migration for Kysely's `Migrator`. The name of this type differs between versions of Kysely. */
interface Migration {
  up(db: Kysely<unknown>): Promise<void>
  down(db: Kysely<unknown>): Promise<void>
}

/**
 * The tables as Kysely migrations by name, for sites that run them with their own. Text, big integers, booleans and
 * `timestamptz` have the same names in PostgreSQL and SQLite; only generated ids differ.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  authmachine_0001_tables: { up: createTables, down: dropTables },
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
  const KyselyMigrator = await loadMigrator()
  const migrator = new KyselyMigrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: 'authmachine_migration',
    migrationLockTableName: 'authmachine_migration_lock',
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('The migration failed', { cause: error })
}

/** Kysely 0.29 moved its migrator to a subpath. Bundlers ignore a missing import inside `try`. */
async function loadMigrator(): Promise<typeof Migrator> {
  try {
    return (await import('kysely/migration')).Migrator
  } catch {
    const earlier: object = await import('kysely')
    return (earlier as { readonly Migrator: typeof Migrator }).Migrator
  }
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  const { sql } = await import('kysely')
  // Only PostgreSQL can roll back changes of tables.
  const isPostgres = db.getExecutor().adapter.supportsTransactionalDdl
  const anyId = isPostgres ? sql`gen_random_uuid()` : sql`(lower(hex(randomblob(16))))`
  const { schema } = db

  await schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull().defaultTo(anyId))
    .addColumn('name', 'text')
    .addColumn('email', 'text', (column) => column.unique())
    .addColumn('emailVerified', 'timestamptz')
    .addColumn('image', 'text')
    .execute()

  await schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull().defaultTo(anyId))
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('providerAccountId', 'text', (column) => column.notNull())
    .addColumn('refresh_token', 'text')
    .addColumn('access_token', 'text')
    .addColumn('expires_at', 'bigint')
    .addColumn('id_token', 'text')
    .addColumn('scope', 'text')
    .addColumn('session_state', 'text')
    .addColumn('token_type', 'text')
    .addColumn('authorization_details', 'text')
    .addUniqueConstraint('accounts_identity', ['provider', 'providerAccountId'])
    .execute()
  await schema.createIndex('accounts_user').on('accounts').column('userId').execute()

  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull().defaultTo(anyId))
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('expires', 'timestamptz', (column) => column.notNull())
    .addColumn('sessionToken', 'text', (column) => column.notNull().unique())
    .execute()
  await schema.createIndex('sessions_user').on('sessions').column('userId').execute()
  await schema.createIndex('sessions_expires').on('sessions').column('expires').execute()

  await schema
    .createTable('verification_token')
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('expires', 'timestamptz', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('verification_token_pair', ['identifier', 'token'])
    .execute()
  await schema.createIndex('verification_token_expires').on('verification_token').column('expires').execute()

  await schema
    .createTable('authenticators')
    .addColumn('credentialID', 'text', (column) => column.primaryKey().notNull())
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('providerAccountId', 'text', (column) => column.notNull())
    .addColumn('credentialPublicKey', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('credentialDeviceType', 'text', (column) => column.notNull())
    .addColumn('credentialBackedUp', 'boolean', (column) => column.notNull())
    .addColumn('transports', 'text')
    .execute()
  await schema.createIndex('authenticators_user').on('authenticators').column('userId').execute()
}

async function dropTables({ schema }: Kysely<unknown>): Promise<void> {
  for (const name of ['authenticators', 'verification_token', 'sessions', 'accounts', 'users'])
    await schema.dropTable(name).execute()
}
