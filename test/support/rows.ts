import type {
  Adapter,
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../src/types/adapter.ts'

/** The current rows of a store. */
export interface Rows {
  readonly users: () => AdapterUser[]
  readonly accounts: () => AdapterAccount[]
  readonly sessions: () => AdapterSession[]
  /** The tokens of links and codes. The store itself returns them only when it deletes them. */
  readonly tokens: () => VerificationToken[]
}

/**
 * Records the keys of all rows that are stored, so that the rows can be listed. Reads their content from the store
 * itself, whose methods must be synchronous.
 */
export function recordRows(store: Required<Adapter>): {
  readonly store: Required<Adapter>
  readonly rows: Rows
} {
  const users = new Set<string>()
  const accounts = new Map<string, Pick<AdapterAccount, 'provider' | 'providerAccountId'>>()
  const sessions = new Set<string>()
  const tokens = new Map<string, VerificationToken>()
  const recorded: Required<Adapter> = {
    ...store,
    createUser(user) {
      const created = store.createUser(user) as AdapterUser
      users.add(created.id)
      return created
    },
    linkAccount(account) {
      const { provider, providerAccountId } = account
      accounts.set(JSON.stringify([provider, providerAccountId]), { provider, providerAccountId })
      return store.linkAccount(account)
    },
    createSession(session) {
      sessions.add(session.sessionToken)
      return store.createSession(session)
    },
    createVerificationToken(token) {
      tokens.set(token.token, token)
      return store.createVerificationToken(token)
    },
    useVerificationToken(params) {
      const used = store.useVerificationToken(params)
      if (used) tokens.delete(params.token)
      return used
    },
  }
  const held = <T>(rows: readonly (T | null)[]): T[] => rows.filter((row) => row !== null)
  const rows: Rows = {
    users: () => held([...users].map((id) => store.getUser(id) as AdapterUser | null)),
    accounts: () =>
      held(
        [...accounts.values()].map(
          ({ provider, providerAccountId }) =>
            store.getAccount(providerAccountId, provider) as AdapterAccount | null,
        ),
      ),
    sessions: () =>
      held(
        [...sessions].map(
          (token) =>
            (store.getSessionAndUser(token) as { readonly session: AdapterSession } | null)?.session ?? null,
        ),
      ),
    tokens: () => [...tokens.values()],
  }
  return { store: recorded, rows }
}
