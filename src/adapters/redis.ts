import { formatUuid, randomBytes } from '../crypto/random.ts'
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
import { openScript, type RedisClient, rootOf } from './redis-client.ts'
import { script } from './redis-script.ts'
import { encodeRecord } from './redis-rows.ts'
import { asRecord, asRecordOrNull, openStore, openTable } from './redis-table.ts'
import { rejectFailures } from './reject-failures.ts'

export { redisRevocations, type RedisRevocationsOptions } from './redis-revocations.ts'
export type { IoRedisClient, NodeRedisClient, RedisClient, ScriptOptions } from './redis-client.ts'

/** Options of the Redis adapter. */
export interface RedisAdapterOptions {
  /**
   * The start of all keys, which look like `{authmachine}:1:user:<id>`. If several applications share a server, give
   * each a different prefix. It must not be empty or contain braces, because the adapter adds the braces.
   *
   * @default 'authmachine'
   */
  readonly prefix?: string
}

/**
 * Creates an adapter for Redis that uses your client from the package `redis` or `ioredis`. Every operation is one Lua
 * script, so it happens completely or not at all, and concurrent operations cannot break uniqueness or references. The
 * adapter also stores properties that you add to rows: Dates to the millisecond, and other values as JSON.
 *
 * Sessions, verification tokens and keyed records expire in Redis at their `expires`, after which the adapter no longer
 * returns them.
 * Redis must neither evict nor lose the other keys: set `appendonly yes` and `maxmemory-policy noeviction`. All keys are
 * in one hash slot, so a Redis Cluster stores them on one primary.
 *
 * Operations reject with the error of the client, or with an Error if a unique value is taken, the row to change does
 * not exist or a record cannot be stored.
 *
 * @param client a connected client, which the adapter neither opens nor closes
 * @param options the start of the keys
 * @returns the adapter, with every operation
 * @throws TypeError if the prefix is empty or contains braces
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL }).on('error', console.error).connect()
 * Auth(request, { adapter: redisAdapter(client), ... })
 */
export function redisAdapter(
  client: RedisClient,
  { prefix = 'authmachine' }: RedisAdapterOptions = {},
): Required<Adapter> {
  const send = openStore(openScript(client, script), rootOf(prefix))
  const users = openTable<AdapterUser>(send, 'user')
  const accounts = openTable<AdapterAccount>(send, 'account')
  const sessions = openTable<AdapterSession>(send, 'session')
  const tokens = openTable<VerificationToken>(send, 'token')
  const authenticators = openTable<AdapterAuthenticator>(send, 'authenticator')
  const passwords = openTable<PasswordRow>(send, 'password')
  const factors = openTable<FactorRow>(send, 'factor')
  const records = openTable<RecordRow>(send, 'record')
  const keyedRecords = openTable<KeyedRow>(send, 'keyed')

  return rejectFailures({
    async createUser(user) {
      const id = user.id || formatUuid(randomBytes(16))
      return users.insert([id], { ...user, id })
    },
    getUser: (id) => users.find([id]),
    getUserByEmail: async (email) => asRecordOrNull(await send('findByEmail', 'user', [email])),
    getUserByAccount: async ({ provider, providerAccountId }) =>
      asRecordOrNull(await send('findOwner', 'account', [provider, providerAccountId])),
    updateUser: async ({ id, ...patch }) => demand(await users.change([id], patch), 'user'),
    deleteUser: async (id) => asRecordOrNull<AdapterUser>(await send('removeUser', 'user', [id])),

    linkAccount: (account) => accounts.insert([account.provider, account.providerAccountId], account),
    unlinkAccount: async ({ provider, providerAccountId }) =>
      (await accounts.remove([provider, providerAccountId])) ?? undefined,
    updateAccount: ({ provider, providerAccountId, ...patch }, held) =>
      accounts.change([provider, providerAccountId], patch, held),
    listAccountsByUserId: (userId) => accounts.list(userId),
    getAccount: (providerAccountId, provider) => accounts.find([provider, providerAccountId]),

    createSession: (session) => sessions.insert([session.sessionToken], session),
    async getSessionAndUser(sessionToken) {
      const found = (await send('findWithOwner', 'session', [sessionToken])) as [unknown, unknown] | null
      return found && { session: asRecord(found[0]), user: asRecord(found[1]) }
    },
    updateSession: ({ sessionToken, ...patch }) => sessions.change([sessionToken], patch),
    deleteSession: (sessionToken) => sessions.remove([sessionToken]),
    listSessionsByUserId: (userId) => sessions.list(userId),
    describeSession: (sessionToken, description) => sessions.change([sessionToken], { description }),
    deleteSessionsByUserId: (userId) => send('removeAll', 'session', [userId]),

    createVerificationToken: (token) => tokens.insert([token.identifier, token.token], token),
    useVerificationToken: ({ identifier, token }) => tokens.remove([identifier, token]),

    createAuthenticator: (authenticator) =>
      authenticators.insert([authenticator.credentialID], authenticator),
    getAuthenticator: (credentialID) => authenticators.find([credentialID]),
    listAuthenticatorsByUserId: (userId) => authenticators.list(userId),
    deleteAuthenticator: (credentialID) => authenticators.remove([credentialID]),
    nameAuthenticator: (credentialID, name) => authenticators.change([credentialID], { name }),
    updateAuthenticatorCounter: async (credentialID, counter, held, state) =>
      demand(await authenticators.change([credentialID], { ...state, counter }, held), 'authenticator'),

    getPassword: async (userId) => (await passwords.find([userId]))?.hash ?? null,
    setPassword: async (userId, hash, held) =>
      held
        ? (await passwords.change([userId], { hash }, held)) !== null
        : demand(await send('put', 'password', [userId], encodeRecord({ userId, hash })), 'user') !== null,
    deletePassword: (userId) => passwords.remove([userId]),

    getFactor: async (userId) => (await factors.find([userId]))?.factor ?? null,
    setFactor: async (userId, factor, held) =>
      held
        ? (await factors.change([userId], { factor }, held)) !== null
        : (await send('add', 'factor', [userId], encodeRecord({ userId, factor }))) !== null,
    deleteFactor: async (userId, held) => (await factors.remove([userId], held)) !== null,

    getRecord: async (userId, name) => (await records.find([userId, name]))?.value ?? null,
    setRecord: async (userId, name, value, held) =>
      held
        ? (await records.change([userId, name], { value }, held)) !== null
        : (await send('add', 'record', [userId, name], encodeRecord({ userId, name, value }))) !== null,
    deleteRecord: async (userId, name, held) => (await records.remove([userId, name], held)) !== null,

    getKeyedRecord: async (key) => (await keyedRecords.find([key]))?.value ?? null,
    setKeyedRecord: async ({ key, value, expires }, held) =>
      held
        ? (await keyedRecords.change([key], { value, expires }, held)) !== null
        : (await send('add', 'keyed', [key], encodeRecord({ key, value, expires }))) !== null,
    deleteKeyedRecord: async (key, held) => (await keyedRecords.remove([key], held)) !== null,
  })
}

function demand<Rec>(record: Rec | null, name: string): Rec {
  if (record === null) throw new Error(`The ${name} does not exist`)
  return record
}
