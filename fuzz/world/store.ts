/** Records as Auth.js adapters store them. */
export interface UserRow {
  readonly id: string
  readonly name?: string | null
  readonly email: string
  readonly emailVerified: Date | null
  readonly image?: string | null
}
export interface AccountRow {
  readonly userId: string
  readonly type: string
  readonly provider: string
  readonly providerAccountId: string
  readonly [more: string]: unknown
}
export interface SessionRow {
  readonly sessionToken: string
  readonly userId: string
  readonly expires: Date
}
export interface LinkRow {
  readonly identifier: string
  readonly token: string
  readonly expires: Date
}
export interface CredentialRow {
  readonly credentialID: string
  readonly userId: string
  readonly providerAccountId: string
  readonly counter: number
  readonly [more: string]: unknown
}

export interface PasswordRow {
  readonly userId: string
  readonly hash: string
}

/** The records of the store, for tests to inspect. */
/** A second factor, sealed by the target. */
export interface FactorRow {
  userId: string
  factor: string
}

/** A named text of a user. */
export interface RecordRow {
  readonly userId: string
  readonly name: string
  readonly value: string
}

export interface Rows {
  users: UserRow[]
  accounts: AccountRow[]
  sessions: SessionRow[]
  links: LinkRow[]
  credentials: CredentialRow[]
  passwords: PasswordRow[]
  factors: FactorRow[]
  records: RecordRow[]
}

/** Creates an adapter over rows that tests can inspect. */
export function createStore() {
  const rows: Rows = {
    users: [],
    accounts: [],
    sessions: [],
    links: [],
    credentials: [],
    passwords: [],
    factors: [],
    records: [],
  }
  const sameAccount = (a: Pick<AccountRow, 'provider' | 'providerAccountId'>) => (b: AccountRow) =>
    a.provider === b.provider && a.providerAccountId === b.providerAccountId
  const userOf = (id: string | undefined) => copy(rows.users.find((user) => user.id === id))
  const requireCurrentUser = (id: string) => {
    if (!userOf(id)) throw new Error('violates foreign key: no such user')
  }
  const requireFree = (taken: boolean) => {
    if (taken) throw new Error('violates unique constraint')
  }

  const recordOf = (id: string, name: string) =>
    rows.records.find((row) => row.userId === id && row.name === name)

  const operations = {
    async createUser(user: UserRow) {
      requireFree(rows.users.some(({ email }) => Boolean(email) && email === user.email))
      rows.users.push({ ...user, id: user.id ?? crypto.randomUUID() })
      return copy(rows.users.at(-1))
    },
    getUser: async (id: string) => userOf(id),
    getUserByEmail: async (email: string) => copy(rows.users.find((user) => user.email === email)),
    getUserByAccount: async (account: Pick<AccountRow, 'provider' | 'providerAccountId'>) =>
      userOf(rows.accounts.find(sameAccount(account))?.userId),
    async updateUser(user: Partial<UserRow> & Pick<UserRow, 'id'>) {
      requireCurrentUser(user.id)
      rows.users = rows.users.map((row) => (row.id === user.id ? { ...row, ...user } : row))
      return userOf(user.id)
    },
    async deleteUser(id: string) {
      rows.users = rows.users.filter((user) => user.id !== id)
      rows.accounts = rows.accounts.filter(({ userId }) => userId !== id)
      rows.sessions = rows.sessions.filter(({ userId }) => userId !== id)
      rows.credentials = rows.credentials.filter(({ userId }) => userId !== id)
      rows.passwords = rows.passwords.filter(({ userId }) => userId !== id)
      rows.factors = rows.factors.filter(({ userId }) => userId !== id)
      rows.records = rows.records.filter(({ userId }) => userId !== id)
    },
    async linkAccount(account: AccountRow) {
      requireCurrentUser(account.userId)
      requireFree(rows.accounts.some(sameAccount(account)))
      rows.accounts.push({ ...account })
      return copy(account)
    },
    async unlinkAccount(account: AccountRow) {
      rows.accounts = rows.accounts.filter((row) => !sameAccount(account)(row))
    },
    getAccount: async (providerAccountId: string, provider: string) =>
      copy(rows.accounts.find(sameAccount({ provider, providerAccountId }))),
    async updateAccount(
      account: Partial<AccountRow> & Pick<AccountRow, 'provider' | 'providerAccountId'>,
      held?: { readonly refresh_token: string },
    ) {
      const at = rows.accounts.findIndex(sameAccount(account))
      const row = rows.accounts[at]
      if (!row || (held && row.refresh_token !== held.refresh_token)) return null
      rows.accounts[at] = { ...row, ...account }
      return copy(rows.accounts[at])
    },
    listAccountsByUserId: async (id: string) =>
      rows.accounts.filter(({ userId }) => userId === id).map((row) => ({ ...row })),
    async createSession(session: SessionRow) {
      requireCurrentUser(session.userId)
      requireFree(rows.sessions.some(({ sessionToken }) => sessionToken === session.sessionToken))
      rows.sessions.push({ ...session })
      return copy(session)
    },
    async getSessionAndUser(sessionToken: string) {
      const session = copy(rows.sessions.find((row) => row.sessionToken === sessionToken))
      const user = userOf(session?.userId)
      return session && user ? { session, user } : null
    },
    async updateSession(session: Partial<SessionRow> & Pick<SessionRow, 'sessionToken'>) {
      const at = rows.sessions.findIndex(({ sessionToken }) => sessionToken === session.sessionToken)
      const row = rows.sessions[at]
      if (!row) return null
      rows.sessions[at] = { ...row, ...session }
      return copy(rows.sessions[at])
    },
    async deleteSession(sessionToken: string) {
      rows.sessions = rows.sessions.filter((row) => row.sessionToken !== sessionToken)
    },
    listSessionsByUserId: async (id: string) =>
      rows.sessions.filter(({ userId }) => userId === id).map((row) => ({ ...row })),
    async deleteSessionsByUserId(id: string) {
      rows.sessions = rows.sessions.filter(({ userId }) => userId !== id)
    },
    getPassword: async (id: string) => rows.passwords.find(({ userId }) => userId === id)?.hash ?? null,
    async setPassword(id: string, hash: string, held?: { readonly hash: string }) {
      requireCurrentUser(id)
      const stored = rows.passwords.find(({ userId }) => userId === id)
      if (held && stored?.hash !== held.hash) return false
      rows.passwords = [...rows.passwords.filter((row) => row !== stored), { userId: id, hash }]
      return true
    },
    async deletePassword(id: string) {
      rows.passwords = rows.passwords.filter(({ userId }) => userId !== id)
    },
    getFactor: async (id: string) => rows.factors.find(({ userId }) => userId === id)?.factor ?? null,
    async setFactor(id: string, factor: string, held?: { readonly factor: string }) {
      requireCurrentUser(id)
      const stored = rows.factors.find(({ userId }) => userId === id)
      if (stored?.factor !== held?.factor) return false
      rows.factors = [...rows.factors.filter((row) => row !== stored), { userId: id, factor }]
      return true
    },
    async deleteFactor(id: string, held?: { readonly factor: string }) {
      const stored = rows.factors.find(({ userId }) => userId === id)
      if (!stored || (held && stored.factor !== held.factor)) return false
      rows.factors = rows.factors.filter((row) => row !== stored)
      return true
    },
    getRecord: async (id: string, name: string) => recordOf(id, name)?.value ?? null,
    async setRecord(id: string, name: string, value: string, held?: { readonly value: string }) {
      const stored = recordOf(id, name)
      if (stored?.value !== held?.value) return false
      requireCurrentUser(id)
      rows.records = [...rows.records.filter((row) => row !== stored), { userId: id, name, value }]
      return true
    },
    async deleteRecord(id: string, name: string, held?: { readonly value: string }) {
      const stored = recordOf(id, name)
      if (!stored || (held && stored.value !== held.value)) return false
      rows.records = rows.records.filter((row) => row !== stored)
      return true
    },
    async createVerificationToken(link: LinkRow) {
      rows.links.push({ ...link })
      return copy(link)
    },
    async useVerificationToken({ identifier, token }: Pick<LinkRow, 'identifier' | 'token'>) {
      const link = rows.links.find((row) => row.identifier === identifier && row.token === token)
      rows.links = rows.links.filter((row) => row !== link)
      return copy(link)
    },
    async createAuthenticator(credential: CredentialRow) {
      requireCurrentUser(credential.userId)
      requireFree(rows.credentials.some(({ credentialID }) => credentialID === credential.credentialID))
      rows.credentials.push({ ...credential })
      return copy(credential)
    },
    getAuthenticator: async (id: string) =>
      copy(rows.credentials.find(({ credentialID }) => credentialID === id)),
    listAuthenticatorsByUserId: async (id: string) =>
      rows.credentials.filter(({ userId }) => userId === id).map((row) => ({ ...row })),
    async nameAuthenticator(id: string, name: string) {
      rows.credentials = rows.credentials.map((row) => (row.credentialID === id ? { ...row, name } : row))
    },
    async deleteAuthenticator(id: string) {
      rows.credentials = rows.credentials.filter(({ credentialID }) => credentialID !== id)
    },
    async updateAuthenticatorCounter(
      id: string,
      counter: number,
      held?: { readonly counter: number },
      state?: { readonly credentialBackedUp: boolean },
    ) {
      const stored = rows.credentials.find(({ credentialID }) => credentialID === id)
      if (held && stored?.counter !== held.counter) throw new Error('The counter has changed')
      rows.credentials = rows.credentials.map((row) =>
        row.credentialID === id ? { ...row, ...state, counter } : row,
      )
      return copy(rows.credentials.find(({ credentialID }) => credentialID === id))
    },
  }
  return { rows, operations }
}

/** Returns operations that return nothing wherever the interface of adapters allows it, as those of some databases do. */
export function withoutResults(operations: ReturnType<typeof createStore>['operations']) {
  return {
    ...operations,
    updateSession: async (session: Parameters<typeof operations.updateSession>[0]) =>
      void (await operations.updateSession(session)),
    linkAccount: async (account: AccountRow) => void (await operations.linkAccount(account)),
    createVerificationToken: async (link: LinkRow) => void (await operations.createVerificationToken(link)),
  }
}

/** Returns operations for users whose ids are numbers, which reject any other id, as a column of integers does. */
export function withNumericIds(operations: ReturnType<typeof createStore>['operations']) {
  let last = 0
  const demandNumber = (id: string) => {
    if (!/^\d+$/.test(id)) throw new Error('invalid input syntax for type integer')
  }
  return {
    ...operations,
    createUser: async (user: UserRow) => operations.createUser({ ...user, id: String(++last) }),
    async getUser(id: string) {
      demandNumber(id)
      return operations.getUser(id)
    },
    async getPassword(id: string) {
      demandNumber(id)
      return operations.getPassword(id)
    },
  }
}

/** Copies a record, as a database does; null if there is none. */
function copy<T extends object>(row: T | undefined): T | null {
  return row ? { ...row } : null
}
