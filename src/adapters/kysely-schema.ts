import type { CreateTableBuilder, Kysely } from 'kysely'
import { describeColumns } from './kysely-columns.ts'

/** A statement that changes the schema of the database. */
export interface Statement {
  compile(): { readonly sql: string }
  execute(): Promise<unknown>
}

/**
 * Returns the statements that create the tables. The lengths of keys matter to MariaDB and MySQL only: an address has at
 * most 254 characters, a placeholder for one 272, and an account at most 255 but for a passkey, whose credential id fills
 * an index.
 */
async function listStatements<DB>(db: Kysely<DB>): Promise<readonly Statement[]> {
  const { schema } = db
  const { key, date, anyId, finish, owned } = await openBuilder(db)
  const index = (name: string, table: string, column: string) =>
    schema.createIndex(name).on(table).column(column)

  return [
    finish(
      schema
        .createTable('users')
        .addColumn('id', key(255), (column) => column.primaryKey().notNull().defaultTo(anyId))
        .addColumn('name', 'text')
        .addColumn('email', key(320), (column) => column.unique())
        .addColumn('emailVerified', date)
        .addColumn('image', 'text'),
    ),
    owned(
      schema
        .createTable('accounts')
        .addColumn('id', key(255), (column) => column.primaryKey().notNull().defaultTo(anyId))
        .addColumn('userId', key(255), (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('provider', key(64), (column) => column.notNull())
        .addColumn('providerAccountId', key(704), (column) => column.notNull())
        .addColumn('refresh_token', 'text')
        .addColumn('access_token', 'text')
        .addColumn('expires_at', 'bigint')
        .addColumn('id_token', 'text')
        .addColumn('scope', 'text')
        .addColumn('session_state', 'text')
        .addColumn('token_type', 'text')
        .addColumn('authorization_details', 'text')
        .addUniqueConstraint('accounts_identity', ['provider', 'providerAccountId']),
      'accounts',
    ),
    index('accounts_user', 'accounts', 'userId'),
    owned(
      schema
        .createTable('sessions')
        .addColumn('id', key(255), (column) => column.primaryKey().notNull().defaultTo(anyId))
        .addColumn('userId', key(255), (column) => column.notNull())
        .addColumn('expires', date, (column) => column.notNull())
        .addColumn('sessionToken', key(255), (column) => column.notNull().unique()),
      'sessions',
    ),
    index('sessions_user', 'sessions', 'userId'),
    index('sessions_expires', 'sessions', 'expires'),
    finish(
      schema
        .createTable('verification_token')
        .addColumn('identifier', key(320), (column) => column.notNull())
        .addColumn('expires', date, (column) => column.notNull())
        .addColumn('token', key(255), (column) => column.notNull())
        .addPrimaryKeyConstraint('verification_token_pair', ['identifier', 'token']),
    ),
    index('verification_token_expires', 'verification_token', 'expires'),
    owned(
      schema
        .createTable('authenticators')
        .addColumn('credentialID', key(704), (column) => column.primaryKey().notNull())
        .addColumn('userId', key(255), (column) => column.notNull())
        .addColumn('providerAccountId', key(704), (column) => column.notNull())
        .addColumn('credentialPublicKey', 'text', (column) => column.notNull())
        .addColumn('counter', 'bigint', (column) => column.notNull())
        .addColumn('credentialDeviceType', 'text', (column) => column.notNull())
        .addColumn('credentialBackedUp', 'boolean', (column) => column.notNull())
        .addColumn('transports', 'text'),
      'authenticators',
    ),
    index('authenticators_user', 'authenticators', 'userId'),
  ]
}

/** Returns the statement that creates the table of password hashes, which are not columns of a user. */
async function listPasswordStatements<DB>(db: Kysely<DB>): Promise<readonly Statement[]> {
  const { key, owned } = await openBuilder(db)
  return [
    owned(
      db.schema
        .createTable('passwords')
        .addColumn('userId', key(255), (column) => column.primaryKey().notNull())
        .addColumn('hash', 'text', (column) => column.notNull()),
      'passwords',
    ),
  ]
}

/** Returns the statement that creates the table of second factors, which are not columns of a user. */
async function listFactorStatements<DB>(db: Kysely<DB>): Promise<readonly Statement[]> {
  const { key, owned } = await openBuilder(db)
  return [
    owned(
      db.schema
        .createTable('second_factors')
        .addColumn('userId', key(255), (column) => column.primaryKey().notNull())
        .addColumn('factor', 'text', (column) => column.notNull()),
      'second_factors',
    ),
  ]
}

/** Returns the statements that add the descriptions of sessions and the names of passkeys. */
function listDescriptionStatements<DB>({ schema }: Kysely<DB>): Promise<readonly Statement[]> {
  return Promise.resolve([
    schema.alterTable('sessions').addColumn('description', 'text'),
    schema.alterTable('authenticators').addColumn('name', 'text'),
  ])
}

/** Returns the statement that creates the table of records, named texts that are not columns of a user. */
async function listRecordStatements<DB>(db: Kysely<DB>): Promise<readonly Statement[]> {
  const { key, owned } = await openBuilder(db)
  return [
    owned(
      db.schema
        .createTable('user_records')
        .addColumn('userId', key(255), (column) => column.notNull())
        .addColumn('name', key(64), (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('user_records_pair', ['userId', 'name']),
      'user_records',
    ),
  ]
}

/** Returns the statements that create the table of values that features find by a key, and that belong to no user. */
async function listKeyedRecordStatements<DB>(db: Kysely<DB>): Promise<readonly Statement[]> {
  const { key, date, finish } = await openBuilder(db)
  return [
    finish(
      db.schema
        .createTable('keyed_records')
        .addColumn('key', key(128), (column) => column.primaryKey().notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('expires', date, (column) => column.notNull()),
    ),
    db.schema.createIndex('keyed_records_expires').on('keyed_records').column('expires'),
  ]
}

/** Returns the columns of a database, and functions that complete a table. */
async function openBuilder<DB>(db: Kysely<DB>) {
  const { options, ...columns } = await describeColumns(db)
  const finish = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
    options ? table.modifyEnd(options) : table
  /**
   * A separate clause, because MySQL ignores a reference after a column. The name is the one that PostgreSQL chooses.
   */
  const owned = <T extends string, C extends string>(
    table: CreateTableBuilder<T, C | 'userId'>,
    name: string,
  ) =>
    finish(
      table.addForeignKeyConstraint(`${name}_userId_fkey`, ['userId'], 'users', ['id'], (constraint) =>
        constraint.onDelete('cascade'),
      ),
    )
  return { ...columns, finish, owned }
}

/** One migration: its tables, each after those to which it refers, its columns, and the statements that create them. */
export interface Schema {
  readonly tables: readonly string[]
  /** The columns that the migration adds to older tables, by table. */
  readonly columns?: Readonly<Record<string, string>>
  readonly list: <DB>(db: Kysely<DB>) => Promise<readonly Statement[]>
}

/** The migrations in order. */
export const schemas: Readonly<Record<string, Schema>> = {
  authmachine_0001_tables: {
    tables: ['users', 'accounts', 'sessions', 'verification_token', 'authenticators'],
    list: listStatements,
  },
  authmachine_0002_passwords: { tables: ['passwords'], list: listPasswordStatements },
  authmachine_0003_second_factors: { tables: ['second_factors'], list: listFactorStatements },
  authmachine_0004_descriptions: {
    tables: [],
    columns: { sessions: 'description', authenticators: 'name' },
    list: listDescriptionStatements,
  },
  authmachine_0005_user_records: { tables: ['user_records'], list: listRecordStatements },
  authmachine_0006_keyed_records: { tables: ['keyed_records'], list: listKeyedRecordStatements },
}
