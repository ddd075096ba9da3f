import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  KeyedRow,
  VerificationToken,
} from '../../src/types/adapter.ts'

/**
 * A store like published adapters for databases without unique keys: nothing is unique, and a read-modify-write takes
 * two statements. Other requests run between the two.
 */
export function twoStatementStore() {
  const rows = {
    users: [] as AdapterUser[],
    accounts: [] as AdapterAccount[],
    sessions: [] as AdapterSession[],
    tokens: [] as VerificationToken[],
    authenticators: [] as AdapterAuthenticator[],
    passwords: [] as { userId: string; hash: string }[],
    factors: [] as { userId: string; factor: string }[],
    records: [] as { userId: string; name: string; value: string }[],
    keyedRecords: [] as KeyedRow[],
  }
  const statement = () => new Promise<void>((resolve) => setImmediate(resolve))

  const find = async <Row extends object>(table: Row[], key: Partial<Row>): Promise<Row | null> => {
    await statement()
    const found = table.find((row) => holds(row, key))
    return found ? { ...found } : null
  }
  const insert = async <Row extends object>(table: Row[], row: Row): Promise<Row> => {
    await statement()
    table.push({ ...row })
    return row
  }
  const remove = async <Row extends object>(table: Row[], key: Partial<Row>): Promise<void> => {
    await statement()
    table.splice(0, table.length, ...table.filter((row) => !holds(row, key)))
  }
  /** Reads the row, merges the patch, and writes it back, as a key-value store does. */
  const change = async <Row extends object>(table: Row[], key: Partial<Row>, patch: Partial<Row>) => {
    const found = await find(table, key)
    if (!found) return null
    const whole = { ...found, ...patch }
    await statement()
    table.splice(0, table.length, ...table.filter((row) => !holds(row, key)), whole)
    return { ...whole }
  }

  const adapter: Required<Adapter> = {
    createUser: (user) => insert(rows.users, user),
    getUser: (id) => find(rows.users, { id }),
    getUserByEmail: (email) => find(rows.users, { email }),
    async getUserByAccount({ provider, providerAccountId }) {
      const account = await find(rows.accounts, { provider, providerAccountId })
      return account && find(rows.users, { id: account.userId })
    },
    async updateUser(user) {
      const changed = await change(rows.users, { id: user.id }, user)
      if (!changed) throw new Error('The user does not exist')
      return changed
    },
    deleteUser: (id) => remove(rows.users, { id }),
    listAccountsByUserId: async (userId) => rows.accounts.filter((row) => row.userId === userId),
    async listSessionsByUserId(userId) {
      await statement()
      return rows.sessions.filter((row) => row.userId === userId).map((row) => ({ ...row }))
    },
    describeSession: (sessionToken, description) => change(rows.sessions, { sessionToken }, { description }),
    nameAuthenticator: (credentialID, name) => change(rows.authenticators, { credentialID }, { name }),
    deleteSessionsByUserId: (userId) => remove(rows.sessions, { userId }),
    deleteAuthenticator: (credentialID) => remove(rows.authenticators, { credentialID }),
    linkAccount: (account) => insert(rows.accounts, account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      remove(rows.accounts, { provider, providerAccountId }),
    async updateAccount({ provider, providerAccountId, ...patch }, held) {
      const key = { provider, providerAccountId }
      const account = await find(rows.accounts, { ...key, ...held })
      return account && change(rows.accounts, key, patch)
    },
    getAccount: (providerAccountId, provider) => find(rows.accounts, { provider, providerAccountId }),
    createSession: (session) => insert(rows.sessions, session),
    async getSessionAndUser(sessionToken) {
      const session = await find(rows.sessions, { sessionToken })
      const user = session && (await find(rows.users, { id: session.userId }))
      return session && user ? { session, user } : null
    },
    updateSession: (session) => change(rows.sessions, { sessionToken: session.sessionToken }, session),
    deleteSession: (sessionToken) => remove(rows.sessions, { sessionToken }),
    createVerificationToken: (token) => insert(rows.tokens, token),
    async useVerificationToken({ identifier, token }) {
      const found = await find(rows.tokens, { identifier, token })
      if (found) await remove(rows.tokens, { identifier, token })
      return found
    },
    createAuthenticator: (authenticator) => insert(rows.authenticators, authenticator),
    getAuthenticator: (credentialID) => find(rows.authenticators, { credentialID }),
    async listAuthenticatorsByUserId(userId) {
      await statement()
      return rows.authenticators.filter((row) => row.userId === userId)
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      const changed = await change(rows.authenticators, { credentialID }, { counter })
      if (!changed) throw new Error('The authenticator does not exist')
      return changed
    },
    getPassword: async (userId) => (await find(rows.passwords, { userId }))?.hash ?? null,
    async setPassword(userId, hash, held) {
      const found = await find(rows.passwords, { userId })
      if (held && found?.hash !== held.hash) return false
      await (found ? change(rows.passwords, { userId }, { hash }) : insert(rows.passwords, { userId, hash }))
      return true
    },
    deletePassword: (userId) => remove(rows.passwords, { userId }),
    getFactor: async (userId) => (await find(rows.factors, { userId }))?.factor ?? null,
    async setFactor(userId, factor, held) {
      const found = await find(rows.factors, { userId })
      if (found?.factor !== held?.factor) return false
      await (found ? change(rows.factors, { userId }, { factor }) : insert(rows.factors, { userId, factor }))
      return true
    },
    deleteFactor: async (userId, held) => (await remove(rows.factors, { userId, ...held })) !== null,
    getRecord: async (userId, name) => (await find(rows.records, { userId, name }))?.value ?? null,
    async setRecord(userId, name, value, held) {
      const found = await find(rows.records, { userId, name })
      if (found?.value !== held?.value) return false
      await (found
        ? change(rows.records, { userId, name }, { value })
        : insert(rows.records, { userId, name, value }))
      return true
    },
    async deleteRecord(userId, name, held) {
      const found = await find(rows.records, { userId, name })
      if (!found || (held && found.value !== held.value)) return false
      await remove(rows.records, { userId, name })
      return true
    },
    getKeyedRecord: async (key) => (await find(rows.keyedRecords, { key }))?.value ?? null,
    async setKeyedRecord(record, held) {
      const found = await find(rows.keyedRecords, { key: record.key })
      if (found?.value !== held?.value) return false
      await (found
        ? change(rows.keyedRecords, { key: record.key }, record)
        : insert(rows.keyedRecords, record))
      return true
    },
    async deleteKeyedRecord(key, held) {
      const found = await find(rows.keyedRecords, { key })
      if (!found || (held && found.value !== held.value)) return false
      await remove(rows.keyedRecords, { key })
      return true
    },
  }
  return { adapter, rows }
}

function holds<Row extends object>(row: Row, key: Partial<Row>): boolean {
  return Object.entries(key).every(([name, value]) => row[name as keyof Row] === value)
}
