import type { Expression, ExpressionBuilder, Kysely } from 'kysely'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  KeyedRow,
  VerificationToken,
} from '../types/adapter.ts'
import type { FactorRow, PasswordRow, RecordRow } from './user-rows.ts'
import { authTables, readFilled, readRow, restoreNames, type Row, type Tables } from './kysely-row.ts'
import { openSessionReader } from './kysely-sessions.ts'
import { openTable } from './kysely-table.ts'
import { rejectFailures } from './reject-failures.ts'
import { retryConflict, retryConflicts } from './kysely-retry.ts'
import { areKeys } from './storable-keys.ts'

export { migrate, migrations } from './kysely-migrations.ts'
export { nodeSqlite, type NodeSqliteDatabase } from './kysely-node-sqlite.ts'
export { kyselyRevocations } from './kysely-revocations.ts'

/**
 * Creates an adapter for PostgreSQL, MariaDB or SQLite on your Kysely instance. Its tables are created by `migrate`,
 * and have the names of the Auth.js schema. Every operation is a single statement or transaction, so it happens
 * completely or not at all. The database's constraints enforce uniqueness and references. SQLite must enforce foreign
 * keys, as node:sqlite and better-sqlite3 do by default. Columns that you add are read and written unchanged, but
 * MariaDB gets objects and lists as JSON. Writing a member that has no column fails.
 *
 * An operation that loses a conflict with another one, such as a deadlock or a serialization failure, runs again, unless
 * `db` is your own transaction. Operations reject with the error of the driver, or with an Error if the row to change
 * does not exist or MariaDB cannot store a key exactly.
 *
 * @param db your Kysely instance, which the adapter does not close
 * @returns the adapter, with every operation
 * @example
 * const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
 * await migrate(db)
 * Auth(request, { adapter: kyselyAdapter(db), ... })
 */
export function kyselyAdapter<DB>(db: Kysely<DB>): Required<Adapter> {
  const tables = authTables(db)
  const users = openTable(tables, 'users', ['id'], asUser)
  const accounts = openTable(tables, 'accounts', ['provider', 'providerAccountId'], asAccount)
  const sessions = openTable(tables, 'sessions', ['sessionToken'], asSession)
  const tokens = openTable(tables, 'verification_token', ['identifier', 'token'], asToken)
  const authenticators = openTable(tables, 'authenticators', ['credentialID'], asAuthenticator)
  const passwords = openTable(tables, 'passwords', ['userId'], asPassword)
  const factors = openTable(tables, 'second_factors', ['userId'], asFactor)
  const records = openTable(tables, 'user_records', ['userId', 'name'], asRecordRow)
  const keyedRecords = openTable(tables, 'keyed_records', ['key'], asKeyedRow)

  const readSession = openSessionReader(tables)

  const operations: Required<Adapter> = {
    createUser: ({ id, ...user }) => users.insert({ ...user, id: id || undefined }),
    getUser: (id) => users.find({ id }),
    getUserByEmail: (email) => users.find({ email }),
    async getUserByAccount({ provider, providerAccountId }) {
      if (!areKeys(provider, providerAccountId)) return null
      const row = await tables
        .selectFrom('accounts')
        .innerJoin('users', 'users.id', 'accounts.userId')
        .selectAll('users')
        .where('accounts.provider', '=', provider)
        .where('accounts.providerAccountId', '=', providerAccountId)
        .executeTakeFirst()
      return row ? asUser(row) : null
    },
    updateUser: async ({ id, ...patch }) => demand(await users.change({ id }, patch), 'user'),
    deleteUser: (id) => users.remove({ id }),

    linkAccount: (account) => accounts.insert(account),
    unlinkAccount: async ({ provider, providerAccountId }) =>
      (await accounts.remove({ provider, providerAccountId })) ?? undefined,
    updateAccount: ({ provider, providerAccountId, ...patch }, held) =>
      accounts.change({ provider, providerAccountId }, patch, held),
    listAccountsByUserId: (userId) => accounts.list({ userId }),
    getAccount: (providerAccountId, provider) => accounts.find({ provider, providerAccountId }),

    createSession: (session) => sessions.insert(session),
    async getSessionAndUser(sessionToken) {
      const found = await readSession(sessionToken)
      return found && { session: asSession(found.session), user: asUser(found.user) }
    },
    updateSession: ({ sessionToken, expires, ...patch }) =>
      sessions.change({ sessionToken }, { ...patch, expires: expires && keepLater(expires) }),
    deleteSession: (sessionToken) => sessions.remove({ sessionToken }),
    listSessionsByUserId: (userId) => sessions.list({ userId }),
    describeSession: (sessionToken, description) => sessions.change({ sessionToken }, { description }),
    deleteSessionsByUserId: (userId) => sessions.remove({ userId }),

    createVerificationToken: (token) => tokens.insert(token),
    useVerificationToken: ({ identifier, token }) => tokens.remove({ identifier, token }),

    createAuthenticator: (authenticator) => authenticators.insert(authenticator),
    getAuthenticator: (credentialID) => authenticators.find({ credentialID }),
    listAuthenticatorsByUserId: (userId) => authenticators.list({ userId }),
    deleteAuthenticator: (credentialID) => authenticators.remove({ credentialID }),
    nameAuthenticator: (credentialID, name) => authenticators.change({ credentialID }, { name }),
    updateAuthenticatorCounter: async (credentialID, counter, held, state) =>
      demand(await authenticators.change({ credentialID }, { ...state, counter }, held), 'authenticator'),

    getPassword: async (userId) => (await passwords.find({ userId }))?.hash ?? null,
    async setPassword(userId, hash, held) {
      if (held) return (await passwords.change({ userId }, { hash }, held)) !== null
      await passwords.put({ userId, hash })
      return true
    },
    deletePassword: (userId) => passwords.remove({ userId }),

    getFactor: async (userId) => (await factors.find({ userId }))?.factor ?? null,
    setFactor: async (userId, factor, held) =>
      held ? (await factors.change({ userId }, { factor }, held)) !== null : factors.add({ userId, factor }),
    deleteFactor: async (userId, held) => (await factors.remove({ userId }, held)) !== null,

    getRecord: async (userId, name) => (await records.find({ userId, name }))?.value ?? null,
    setRecord: async (userId, name, value, held) =>
      held
        ? (await records.change({ userId, name }, { value }, held)) !== null
        : records.add({ userId, name, value }),
    deleteRecord: async (userId, name, held) => (await records.remove({ userId, name }, held)) !== null,

    getKeyedRecord: async (key) => (await keyedRecords.find({ key }))?.value ?? null,
    setKeyedRecord: async ({ key, value, expires }, held) =>
      held
        ? (await keyedRecords.change({ key }, { value, expires }, held)) !== null
        : keyedRecords.add({ key, value, expires }),
    deleteKeyedRecord: async (key, held) => (await keyedRecords.remove({ key }, held)) !== null,
  }
  // Within a transaction of the caller, only the caller can start again.
  return rejectFailures(db.isTransaction ? operations : retryConflicts(operations))
}

/** The number of rows that a clean-up removed. */
export interface Removed {
  /** The number of deleted sessions. */
  readonly sessions: number
  /** The number of deleted links. */
  readonly verificationTokens: number
  /** The number of deleted values of features. */
  readonly keyedRecords: number
}

/**
 * Removes sessions, verification tokens and keyed records that have expired at `now`. Expired rows are never used, so this only keeps
 * the tables small. Run it regularly, for example once a day. SQLite and MariaDB compare dates as text: a row that another program
 * wrote in another format may be removed up to a day early.
 *
 * @param db the database of the adapter
 * @param now rows that expired at this time or earlier are removed
 * @returns how many rows were removed
 * @example
 * const { sessions } = await deleteExpired(db, new Date())
 */
export async function deleteExpired<DB>(db: Kysely<DB>, now: Date): Promise<Removed> {
  const until = now.toISOString()
  const remove = async (table: string) => {
    const gone = authTables(db).deleteFrom(table).where('expires', '<=', until)
    return Number((await retryConflict(() => gone.executeTakeFirst())).numDeletedRows)
  }
  return {
    sessions: await remove('sessions'),
    verificationTokens: await remove('verification_token'),
    keyedRecords: await remove('keyed_records'),
  }
}

/** Maximum delay of an extension in milliseconds: the deadline of a step. */
const lateness = 30_000

/**
 * Concurrent extensions of a session may arrive out of order. If an extension would move the expiry back by less than
 * `lateness`, a later one has overtaken it, so the later expiry stays (CC-05). If it moves the expiry further back, it
 * shortens the session, because the site lowered maxAge (decision 17). A smaller reduction of maxAge takes effect by
 * itself within that time.
 */
function keepLater(expires: Date): (eb: ExpressionBuilder<Tables, 'sessions'>) => Expression<unknown> {
  const given = expires.toISOString()
  const late = new Date(expires.getTime() + lateness).toISOString()
  return (eb) =>
    eb
      .case()
      .when('sessions.expires', '<=', given)
      .then(given)
      .when('sessions.expires', '>=', late)
      .then(given)
      // Kysely 0.28 has no `elseRef`.
      .else(eb.ref('sessions.expires'))
      .end()
}

/** The columns of each table whose names have several words. */
const accountColumns = [
  'userId',
  'providerAccountId',
  'access_token',
  'refresh_token',
  'expires_at',
  'token_type',
  'id_token',
  'session_state',
  'authorization_details',
]
const authenticatorColumns = [
  'userId',
  'providerAccountId',
  'credentialID',
  'credentialPublicKey',
  'credentialDeviceType',
  'credentialBackedUp',
]

function asUser(row: Row): AdapterUser {
  return readRow(restoreNames(row, ['emailVerified'])) as AdapterUser
}

/** The database generates the ids of rows that are looked up by another key. */
function asAccount({ id: _id, ...row }: Row): AdapterAccount {
  return readFilled(restoreNames(row, accountColumns)) as AdapterAccount
}

function asSession({ id: _id, description, ...row }: Row): AdapterSession {
  const restored = restoreNames(row, ['sessionToken', 'userId'])
  return readRow({ ...restored, ...onlyFilled({ description }) }) as AdapterSession
}

function asToken(row: Row): VerificationToken {
  return readRow(row) as VerificationToken
}

function asAuthenticator({ name, ...row }: Row): AdapterAuthenticator {
  const restored = restoreNames(row, authenticatorColumns)
  return readRow({ ...restored, ...onlyFilled({ name }) }) as AdapterAuthenticator
}

/** Omits columns that are not set, as other adapters do. */
function onlyFilled(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value === 'string'))
}

function asPassword(row: Row): PasswordRow {
  return readRow(restoreNames(row, ['userId'])) as PasswordRow
}

function asFactor(row: Row): FactorRow {
  return readRow(restoreNames(row, ['userId'])) as FactorRow
}

function asRecordRow(row: Row): RecordRow {
  return readRow(restoreNames(row, ['userId'])) as RecordRow
}

function asKeyedRow(row: Row): KeyedRow {
  return readRow(row) as KeyedRow
}

function demand<Rec>(record: Rec | null, name: string): Rec {
  if (record === null) throw new Error(`The ${name} does not exist`)
  return record
}
