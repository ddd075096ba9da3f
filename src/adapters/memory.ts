import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  KeyedRow,
  VerificationToken,
} from '../types/adapter.ts'
import type { RecordRow } from './user-rows.ts'
import { rejectFailures } from './reject-failures.ts'

export { memoryRevocations } from './memory-revocations.ts'

/**
 * Creates an adapter in the memory of this process, for tests and demos. All data is lost when the process ends. It
 * fulfils the whole adapter contract: unique e-mail addresses (compared exactly), accounts, session tokens, credentials
 * and verification tokens; records of existing users only; single-use tokens; no objects shared with callers.
 *
 * Operations that violate a constraint reject with an Error. All others return synchronously.
 *
 * @returns the adapter, with every operation
 * @example Auth(request, { adapter: memoryAdapter(), ... })
 */
export function memoryAdapter(): Required<Adapter> {
  const users = createTable<AdapterUser>('user', (user) => [user.id])
  const addresses = new Map<string, string>()
  const accounts = createTable<AdapterAccount>('account', (row) => [row.provider, row.providerAccountId])
  const sessions = createTable<AdapterSession>('session', (session) => [session.sessionToken])
  const tokens = createTable<VerificationToken>('verification token', (row) => [row.identifier, row.token])
  const authenticators = createTable<AdapterAuthenticator>('authenticator', (row) => [row.credentialID])
  const records = createTable<RecordRow>('record', (row) => [row.userId, row.name])
  const keyedRecords = createTable<KeyedRow>('keyed record', (row) => [row.key])
  const passwords = new Map<string, string>()
  const factors = new Map<string, string>()

  const requireCurrentUser = (userId: string) => demand(users.read([userId]), 'user')
  const requireFree = (email: string | null | undefined, userId: string) => {
    if (email && (addresses.get(email) ?? userId) !== userId)
      throw new Error('The e-mail address belongs to another user')
  }
  const ownedBy = (userId: string) => (row: { userId: string }) => row.userId === userId

  return rejectFailures({
    createUser(user) {
      requireFree(user.email, user.id)
      const created = users.insert(user)
      if (user.email) addresses.set(user.email, user.id)
      return created
    },
    getUser: (id) => users.read([id]),
    getUserByEmail: (email) => users.read([addresses.get(email)]),
    getUserByAccount: (key) => users.read([accounts.read([key.provider, key.providerAccountId])?.userId]),
    updateUser(patch) {
      const before = requireCurrentUser(patch.id)
      requireFree(patch.email, patch.id)
      const after = demand(users.change([patch.id], patch), 'user')
      addresses.delete(before.email)
      if (after.email) addresses.set(after.email, after.id)
      return after
    },
    deleteUser(userId) {
      for (const table of [accounts, sessions, authenticators, records]) table.removeAll(ownedBy(userId))
      passwords.delete(userId)
      factors.delete(userId)
      const removed = users.remove([userId])
      if (removed) addresses.delete(removed.email)
      return removed
    },

    linkAccount(account) {
      requireCurrentUser(account.userId)
      return accounts.insert(account)
    },
    unlinkAccount: (key) => accounts.remove([key.provider, key.providerAccountId]) ?? undefined,
    updateAccount(patch, held) {
      const key = [patch.provider, patch.providerAccountId]
      if (held && accounts.read(key)?.refresh_token !== held.refresh_token) return null
      return accounts.change(key, patch)
    },
    listAccountsByUserId: (userId) => accounts.list(ownedBy(userId)),
    getAccount: (providerAccountId, provider) => accounts.read([provider, providerAccountId]),

    createSession(session) {
      requireCurrentUser(session.userId)
      return sessions.insert(session)
    },
    getSessionAndUser(sessionToken) {
      const session = sessions.read([sessionToken])
      return session && { session, user: requireCurrentUser(session.userId) }
    },
    updateSession: (patch) =>
      sessions.change([patch.sessionToken], {
        ...patch,
        expires: keepLater(sessions.read([patch.sessionToken])?.expires, patch.expires),
      }),
    deleteSession: (sessionToken) => sessions.remove([sessionToken]),
    listSessionsByUserId: (userId) => sessions.list(ownedBy(userId)),
    describeSession: (sessionToken, description) => sessions.change([sessionToken], { description }),
    deleteSessionsByUserId: (userId) => sessions.removeAll(ownedBy(userId)),

    createVerificationToken: (token) => tokens.insert(token),
    useVerificationToken: ({ identifier, token }) => tokens.remove([identifier, token]),

    createAuthenticator(authenticator) {
      requireCurrentUser(authenticator.userId)
      return authenticators.insert(authenticator)
    },
    getAuthenticator: (credentialID) => authenticators.read([credentialID]),
    listAuthenticatorsByUserId: (userId) => authenticators.list(ownedBy(userId)),
    deleteAuthenticator: (credentialID) => authenticators.remove([credentialID]),
    nameAuthenticator: (credentialID, name) => authenticators.change([credentialID], { name }),
    updateAuthenticatorCounter(credentialID, counter, held, state) {
      const stored = demand(authenticators.read([credentialID]), 'authenticator')
      if (held && stored.counter !== held.counter)
        throw new Error('The counter was changed by another request')
      return demand(authenticators.change([credentialID], { ...state, counter }), 'authenticator')
    },

    getPassword: (userId) => passwords.get(userId) ?? null,
    setPassword(userId, hash, held) {
      requireCurrentUser(userId)
      if (held && passwords.get(userId) !== held.hash) return false
      passwords.set(userId, hash)
      return true
    },
    deletePassword: (userId) => passwords.delete(userId),

    getFactor: (userId) => factors.get(userId) ?? null,
    setFactor(userId, factor, held) {
      requireCurrentUser(userId)
      if (factors.get(userId) !== held?.factor) return false
      factors.set(userId, factor)
      return true
    },
    deleteFactor: (userId, held) => (!held || factors.get(userId) === held.factor) && factors.delete(userId),

    getRecord: (userId, name) => records.read([userId, name])?.value ?? null,
    setRecord(userId, name, value, held) {
      const stored = records.read([userId, name])
      if (stored?.value !== held?.value) return false
      if (stored) return records.change([userId, name], { value }) !== null
      requireCurrentUser(userId)
      return records.insert({ userId, name, value }) !== null
    },
    deleteRecord(userId, name, held) {
      const stored = records.read([userId, name])
      if (held && stored?.value !== held.value) return false
      return records.remove([userId, name]) !== null
    },

    getKeyedRecord: (key) => keyedRecords.read([key])?.value ?? null,
    setKeyedRecord(record, held) {
      const stored = keyedRecords.read([record.key])
      if (stored?.value !== held?.value) return false
      return (stored ? keyedRecords.change([record.key], record) : keyedRecords.insert(record)) !== null
    },
    deleteKeyedRecord(key, held) {
      if (held && keyedRecords.read([key])?.value !== held.value) return false
      return keyedRecords.remove([key]) !== null
    },
  })
}

function demand<Row>(row: Row | null, name: string): Row {
  if (row === null) throw new Error(`The ${name} does not exist`)
  return row
}

/** Maximum delay of an extension in milliseconds: the deadline of a step. */
const lateness = 30_000

/**
 * An extension that another one has overtaken does not move the expiry back (CC-05). A reduction of maxAge moves it
 * further back, and takes effect.
 */
function keepLater(held: Date | undefined, given: Date | undefined): Date | undefined {
  const lead = held && given ? held.getTime() - given.getTime() : 0
  return lead > 0 && lead < lateness ? held : given
}

/** The values that identify a row. A missing or empty part identifies no row. */
type Key = readonly (string | undefined)[]

/** Rows by key, copied when stored and when returned. */
interface Table<Row> {
  readonly insert: (row: Row) => Row
  readonly read: (key: Key) => Row | null
  readonly change: (key: Key, patch: Partial<Row>) => Row | null
  readonly remove: (key: Key) => Row | null
  readonly removeAll: (chosen: (row: Row) => boolean) => void
  readonly list: (chosen: (row: Row) => boolean) => Row[]
}

function createTable<Row extends object>(name: string, keyOf: (row: Row) => Key): Table<Row> {
  const rows = new Map<string, Row>()
  const find = (key: Key) => rows.get(join(key)) ?? null
  return {
    insert(row) {
      const key = keyOf(row)
      if (!isComplete(key)) throw new Error(`The ${name} has no key`)
      if (rows.has(join(key))) throw new Error(`The ${name} exists already`)
      rows.set(join(key), structuredClone(row))
      return structuredClone(row)
    },
    read: (key) => structuredClone(find(key)),
    change(key, patch) {
      const before = find(key)
      if (before === null) return null
      const given = Object.entries(patch).filter(([, value]) => value !== undefined)
      const after: Row = { ...before, ...structuredClone(Object.fromEntries(given)) }
      rows.set(join(key), after)
      return structuredClone(after)
    },
    remove(key) {
      const row = find(key)
      rows.delete(join(key))
      return row
    },
    removeAll(chosen) {
      for (const [key, row] of rows) if (chosen(row)) rows.delete(key)
    },
    list: (chosen) => [...rows.values()].filter(chosen).map((row) => structuredClone(row)),
  }
}

function isComplete(key: Key): boolean {
  return key.every((part) => typeof part === 'string' && part !== '')
}

/** Unlike parts joined by a separator, no two keys have the same text. */
function join(key: Key): string {
  return JSON.stringify(key)
}
