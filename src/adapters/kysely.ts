import type { Expression, ExpressionBuilder, Kysely } from 'kysely'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../types/adapter.ts'
import { areKeys, readFilled, readRow, type Row } from './kysely-columns.ts'
import { openSessionReader } from './kysely-sessions.ts'
import { openTable, type Tables } from './kysely-table.ts'
import { rejectFailures } from './reject-failures.ts'

export { migrate, migrations } from './kysely-migrations.ts'
export { nodeSqlite, type NodeSqliteDatabase } from './kysely-node-sqlite.ts'

/**
 * A store in PostgreSQL or SQLite, over a Kysely instance of the site's. Its tables are those that `migrate` makes, with
 * the names of the Auth.js schema. Every operation is one statement, so that none is ever half done; what has to be
 * unique, or to go together, the database's own constraints keep so. SQLite has to enforce foreign keys, as node:sqlite
 * and better-sqlite3 do unless told otherwise. Columns that a site adds are written and read as they are; a member that
 * has no column fails the operation.
 *
 * Its operations reject with what the driver threw, and with an Error where a row to change is not there.
 *
 * @example
 * const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
 * await migrate(db)
 * Auth(request, { adapter: kyselyAdapter(db), ... })
 */
export function kyselyAdapter<DB>(db: Kysely<DB>): Required<Adapter> {
  const tables = authTables(db)
  const users = openTable(tables, 'users', asUser)
  const accounts = openTable(tables, 'accounts', asAccount)
  const sessions = openTable(tables, 'sessions', asSession)
  const tokens = openTable(
    tables,
    'verification_token',
    (row) => readRow(row) as unknown as VerificationToken,
  )
  const authenticators = openTable(
    tables,
    'authenticators',
    (row) => readRow(row) as unknown as AdapterAuthenticator,
  )

  const readSession = openSessionReader(tables)

  return rejectFailures({
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
    deleteSessionsByUserId: (userId) => sessions.remove({ userId }),

    createVerificationToken: (token) => tokens.insert(token),
    useVerificationToken: ({ identifier, token }) => tokens.remove({ identifier, token }),

    createAuthenticator: (authenticator) => authenticators.insert(authenticator),
    getAuthenticator: (credentialID) => authenticators.find({ credentialID }),
    listAuthenticatorsByUserId: (userId) => authenticators.list({ userId }),
    deleteAuthenticator: (credentialID) => authenticators.remove({ credentialID }),
    updateAuthenticatorCounter: async (credentialID, counter, held) =>
      demand(await authenticators.change({ credentialID }, { counter }, held), 'authenticator'),
  })
}

/** How many rows a clean-up took away. */
export interface Removed {
  readonly sessions: number
  readonly verificationTokens: number
}

/**
 * Removes sessions and verification tokens whose time is over at `now`. Nothing depends on it, since expired rows count
 * for nothing: it keeps tables small. Run it now and then, as once a day.
 */
export async function deleteExpired<DB>(db: Kysely<DB>, now: Date): Promise<Removed> {
  const until = now.toISOString()
  const remove = async (table: string) => {
    const gone = authTables(db).deleteFrom(table).where('expires', '<=', until)
    return Number((await gone.executeTakeFirst()).numDeletedRows)
  }
  return { sessions: await remove('sessions'), verificationTokens: await remove('verification_token') }
}

/** Kysely's types hold what the site says of its database; this library knows no more than the names of its tables. */
function authTables<DB>(db: Kysely<DB>): Kysely<Tables> {
  return db as unknown as Kysely<Tables>
}

/** Milliseconds that an extension may be on its way: the deadline of a step. */
const lateness = 30_000

/**
 * Extensions of one session that come at once may arrive in another order than their clocks were read. One that would
 * take the expiry back by less than `lateness` was overtaken, and the later expiry stays (CC-05). One that takes it back
 * further is a cut, because the site lowered maxAge (decision 17); a cut by less comes true by itself within that time.
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

function asUser(row: Row): AdapterUser {
  return readRow(row) as unknown as AdapterUser
}

/** The ids of rows that are looked up by another key are the database's own business. */
function asAccount({ id: _id, ...row }: Row): AdapterAccount {
  return readFilled(row) as unknown as AdapterAccount
}

function asSession({ id: _id, ...row }: Row): AdapterSession {
  return readRow(row) as unknown as AdapterSession
}

function demand<Rec>(record: Rec | null, name: string): Rec {
  if (record === null) throw new Error(`There is no such ${name}`)
  return record
}
