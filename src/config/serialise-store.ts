import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { AdapterError } from '../errors.ts'
import type { Adapter } from '../types/adapter.ts'
import type { Platform } from '../types/config.ts'
import type { Store, StoreKey, WrappedStore } from './settings.ts'
import { takeTurn } from './take-turns.ts'

type Arguments<Name extends keyof Adapter> = Parameters<Required<Adapter>[Name]>

/** How one operation is serialised. */
interface Rule<Name extends keyof Adapter> {
  /** Returns the key to serialise on; undefined if the operation cannot collide with another. */
  readonly key: (...args: Arguments<Name>) => StoreKey | undefined
  /** For an operation that must fail when its row is there: looks for that row first, within the same turn. */
  readonly find?: (store: WrappedStore, ...args: Arguments<Name>) => unknown
}

const accountKey = ({ provider, providerAccountId }: { provider: string; providerAccountId: string }) =>
  ['account', provider, providerAccountId] as const

/**
 * The operations that a store has to do in one step, and that published adapters do in two. Reads take no turn, and
 * neither do inserts under a key that was drawn at random.
 */
const rules: { readonly [Name in keyof Adapter]?: Rule<Name> } = {
  createUser: {
    key: ({ email }) => (email ? ['address', email] : undefined),
    find: (store, { email }) => (store.has('getUserByEmail') ? store.getUserByEmail(email) : null),
  },
  linkAccount: {
    key: accountKey,
    // The key alone: Prisma's adapter refuses any other member.
    find: (store, { provider, providerAccountId }) =>
      store.has('getUserByAccount') ? store.getUserByAccount({ provider, providerAccountId }) : null,
  },
  unlinkAccount: { key: accountKey },
  updateAccount: { key: accountKey },
  updateSession: { key: ({ sessionToken }) => ['session', sessionToken] },
  deleteSession: { key: (sessionToken) => ['session', sessionToken] },
  // The key includes the token, so that an attacker who guesses at links cannot delay the real one.
  useVerificationToken: { key: ({ identifier, token }) => ['token', identifier, token] },
  createAuthenticator: {
    key: ({ credentialID }) => ['credential', credentialID],
    find: (store, { credentialID }) =>
      store.has('getAuthenticator') ? store.getAuthenticator(credentialID) : null,
  },
}

/**
 * The store with operations on one account, address, session, link or credential one after the other within this
 * process (decision 47), so that requests at once are safe on any adapter, also one without unique keys or with two
 * statements where the contract wants one step. A turn covers the operation alone: no mail, provider or callback.
 *
 * @param site names the site among others in this process. An adapter object cannot: where the configuration is made for
 *   each request, so is the adapter.
 */
export function serialiseStore(store: WrappedStore, site: string, platform: Platform): Store {
  const inTurn: Store['inTurn'] = (key, work) => takeTurn(JSON.stringify([site, ...key]), work, platform)
  const serialised = Object.entries(rules).map(([name, rule]) => [
    name,
    serialise(name as keyof Adapter, rule as Rule<'createUser'>, store, inTurn),
  ])
  const hold = (key: StoreKey) => holdTurn(key, inTurn)
  return { ...store, ...(Object.fromEntries(serialised) as Partial<Store>), inTurn, hold }
}

function holdTurn(key: StoreKey, inTurn: Store['inTurn']): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  void Promise.resolve(inTurn(key, () => released)).catch(() => undefined)
  return release
}

function serialise(
  name: keyof Adapter,
  { key, find }: Rule<'createUser'>,
  store: WrappedStore,
  inTurn: Store['inTurn'],
): (...args: Arguments<'createUser'>) => unknown {
  const operation = store[name] as (...args: unknown[]) => MaybePromise<unknown>
  return (...args) => {
    const turn = key(...args)
    if (!turn) return operation(...args)
    return inTurn(turn, () => {
      if (!find) return operation(...args)
      return whenReady(find(store, ...args), (found) => {
        if (found) throw new AdapterError(`${name} was left out: another request has stored it by now`)
        return operation(...args)
      })
    })
  }
}
