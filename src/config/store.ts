import { asError } from '../errors/as-error.ts'
import { stepDeadline } from '../platform/clock.ts'
import { AdapterError } from '../errors/classes.ts'
import { type MaybePromise, settle, whenDone, whenReady } from '../async/maybe-promise.ts'
import type { Adapter } from '../types/adapter.ts'
import type { Platform } from '../types/config.ts'
import type { LoggerInstance } from '../types/logger.ts'
import type { Store, StoreKey, WrappedStore } from './settings.ts'

/** Pending work on a key. */
interface Turn {
  /** Resolves when the work has settled, even if it failed. */
  readonly over: Promise<void>
  /** The deadline of the step that queued the work. Other work does not wait for it any longer. */
  readonly until: number
}

/** Pending work by key, oldest first. Each clock has its own turns, because `until` is meaningless on another clock. */
const turnsByClock = new WeakMap<Platform['timer'], Map<string, Turn>>()

/**
 * Runs work on a key after all earlier work on that key in this process. Work waits no longer than the step deadline,
 * counted from when it was queued: by then the work before it has failed, even if it never settles. Each waiter has its
 * own timer, because some runtimes stop the timers and promises of a cancelled request.
 *
 * Work must not ask for another turn. No work ever holds two keys, so there are no deadlocks.
 *
 * @throws Error if its turn comes after the deadline. The work is then not done.
 */
export function takeTurn<T>(
  key: string,
  work: () => MaybePromise<T>,
  { now, timer }: Pick<Platform, 'now' | 'timer'>,
): MaybePromise<T> {
  const turns = turnsByClock.get(timer) ?? new Map<string, Turn>()
  turnsByClock.set(timer, turns)
  const queuedAt = now()
  forgetStale(turns, queuedAt)
  const before = turns.get(key)
  const until = queuedAt + stepDeadline
  const done = before ? waitFor(before, queuedAt, timer).then(() => workInTime(work, now() < until)) : work()
  if (!(done instanceof Promise)) return done
  const turn: Turn = { until, over: settled(done).then(forget) }
  // Deleted first, to keep the map in the order of the deadlines.
  turns.delete(key)
  turns.set(key, turn)
  return done

  function forget(): void {
    if (turns.get(key) === turn) turns.delete(key)
  }
}

/**
 * Resolves when a promise settles. The adapter may have set the promise's own `then`. `await` does not call it, so the
 * adapter gets no function of the next visitor.
 */
async function settled(promise: Promise<unknown>): Promise<void> {
  try {
    await promise
  } catch {
    // Its own caller gets the error.
  }
}

/** Removes work that never settles, which would otherwise stay in the map forever. */
function forgetStale(turns: Map<string, Turn>, now: number): void {
  for (const [key, { until }] of turns) {
    if (until > now) return
    turns.delete(key)
  }
}

function waitFor({ over, until }: Turn, now: number, timer: Platform['timer']): Promise<void> {
  return new Promise((resolve) => {
    // A clock that was set back must not prolong the wait.
    const waiting = timer(Math.min(until - now, stepDeadline), resolve)
    void over.then(() => {
      waiting.cancel()
      resolve()
    })
  })
}

function workInTime<T>(work: () => MaybePromise<T>, isInTime: boolean): MaybePromise<T> {
  if (isInTime) return work()
  throw new Error(
    `waiting for other store work on the same key took longer than ${stepDeadline} milliseconds`,
  )
}

const operations = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'deleteUser',
  'linkAccount',
  'unlinkAccount',
  'updateAccount',
  'listAccountsByUserId',
  'getAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'listSessionsByUserId',
  'describeSession',
  'deleteSessionsByUserId',
  'createVerificationToken',
  'useVerificationToken',
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'deleteAuthenticator',
  'nameAuthenticator',
  'updateAuthenticatorCounter',
  'getPassword',
  'setPassword',
  'deletePassword',
  'getFactor',
  'setFactor',
  'deleteFactor',
  'getRecord',
  'setRecord',
  'deleteRecord',
  'getKeyedRecord',
  'setKeyedRecord',
  'deleteKeyedRecord',
] as const satisfies readonly (keyof Adapter)[]

/**
 * Returns whether a text can be the token of a database session: visible ASCII that fits in one cookie. Some databases
 * throw on other text, or compare it inexactly. Session tokens of the JWT strategy are not ids either, and a database
 * with a narrower column type may throw on them.
 */
export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && /^(?!eyJ[\w-]*\.\.)[!-~]{1,1024}$/.test(value)
}

/** Operations that get the value of a cookie. The adapter is never called for a value that no session has. */
const bySessionId: ReadonlySet<keyof Adapter> = new Set(['getSessionAndUser', 'deleteSession'])

type Operation = (...args: unknown[]) => unknown

/** Returns an operation of the adapter, including prototype methods, or undefined if it is missing. */
export function findOperation(adapter: Adapter, name: keyof Adapter): Operation | undefined {
  const operation: unknown = adapter[name]
  return typeof operation === 'function' ? (operation as Operation) : undefined
}

/**
 * Returns the adapter with every operation present. Operations that fail or are missing throw AdapterError. Each is
 * called with the adapter as `this`, and is synchronous if the adapter's is.
 */
export function wrapStore(adapter: Adapter, logger: LoggerInstance): WrappedStore {
  const ask = (name: keyof Adapter, args: unknown[], next: (answer: unknown) => unknown): unknown => {
    const operation = findOperation(adapter, name)
    if (!operation) throw new AdapterError(`The adapter has no ${name} method, which this flow needs`)
    if (bySessionId.has(name) && !isSessionId(args[0])) return next(null)
    logger.debug(`adapter_${name}`)
    return whenDone(
      () => settle(operation.apply(adapter, args)),
      next,
      (error) => fail(name, error),
    )
  }
  const wrap =
    (name: keyof Adapter) =>
    (...args: unknown[]): unknown =>
      ask(name, args, (answer) => answer)
  const wrapped: object = {
    ...Object.fromEntries(operations.map((name) => [name, wrap(name)])),
    adapter,
    readSession: (token: string, next: (found: unknown) => unknown) =>
      ask('getSessionAndUser', [token], next),
    has: (name: keyof Adapter) => findOperation(adapter, name) !== undefined,
  }
  return wrapped as WrappedStore
}

function fail(name: string, error: unknown): never {
  throw new AdapterError(`The adapter's ${name} failed`, asError(error))
}

type Arguments<Name extends keyof Adapter> = Parameters<Required<Adapter>[Name]>

/** How an operation is serialised. */
interface Rule<Name extends keyof Adapter> {
  /** Returns the key to serialise on, or undefined if the operation cannot conflict with another. */
  readonly key: (...args: Arguments<Name>) => StoreKey | undefined
  /** For an operation that must fail if its row exists: looks for that row first, within the same turn. */
  readonly find?: (store: WrappedStore, ...args: Arguments<Name>) => unknown
}

const addressKey = ({ email }: { email?: string | null | undefined }): StoreKey | undefined =>
  email ? ['address', email] : undefined
const accountKey = ({ provider, providerAccountId }: { provider: string; providerAccountId: string }) =>
  ['account', provider, providerAccountId] as const

/** Serialises on the first argument, such as the id of a user. */
const byFirst = (kind: StoreKey[0]) => ({ key: (first: string): StoreKey => [kind, first] })

const byRecord = { key: (userId: string, name: string): StoreKey => ['record', userId, name] }

/**
 * The operations that must be atomic, and that published adapters perform in two steps. Reads take no turn, and neither
 * do inserts with a random key.
 */
const rules: { readonly [Name in keyof Adapter]?: Rule<Name> } = {
  createUser: {
    key: addressKey,
    find: (store, { email }) => store.has('getUserByEmail') && store.getUserByEmail(email),
  },
  updateUser: {
    key: addressKey,
    find: (store, { id, email }) => store.has('getUserByEmail') && email && findOther(store, id, email),
  },
  linkAccount: {
    key: accountKey,
    // Only the key: Prisma's adapter rejects other members.
    find: (store, { provider, providerAccountId }) =>
      store.has('getUserByAccount') && store.getUserByAccount({ provider, providerAccountId }),
  },
  unlinkAccount: { key: accountKey },
  updateAccount: { key: accountKey },
  updateSession: { key: ({ sessionToken }) => ['session', sessionToken] },
  deleteSession: byFirst('session'),
  describeSession: byFirst('session'),
  // The key includes the token, so that an attacker who guesses links cannot delay the real one.
  useVerificationToken: { key: ({ identifier, token }) => ['token', identifier, token] },
  createAuthenticator: {
    key: ({ credentialID }) => ['credential', credentialID],
    find: (store, { credentialID }) => store.has('getAuthenticator') && store.getAuthenticator(credentialID),
  },
  setPassword: byFirst('password'),
  deletePassword: byFirst('password'),
  setFactor: byFirst('factor'),
  deleteFactor: byFirst('factor'),
  setRecord: byRecord,
  deleteRecord: byRecord,
  setKeyedRecord: { key: ({ key }) => ['keyed', key] },
  deleteKeyedRecord: byFirst('keyed'),
}

/** Looks for another user with the same address. */
async function findOther(store: WrappedStore, id: string, email: string): Promise<unknown> {
  const found = await store.getUserByEmail(email)
  return found && String(found.id) !== String(id) ? found : null
}

/**
 * Serialises operations on the same account, address, session, link or credential within this process (decision 47).
 * Concurrent requests are then safe with any adapter, even one without unique keys, or with two statements where the
 * contract demands one step. A turn covers only the operation, not a mail, provider or callback.
 *
 * @param site identifies the site within this process. The adapter object cannot: a configuration that is created per
 * request creates its adapter, too.
 */
export function serialiseStore(store: WrappedStore, site: string, platform: Platform): Store {
  const turn: Store['turn'] = (key, work) => takeTurn(JSON.stringify([site, ...key]), work, platform)
  const serialised = Object.entries(rules).map(([name, rule]) => [
    name,
    serialise(name as keyof Adapter, rule as Rule<'createUser'>, store, turn),
  ])
  // Hooks get the store as their adapter, and later requests use it, too.
  return Object.freeze({ ...store, ...(Object.fromEntries(serialised) as Partial<Store>), turn })
}

function serialise(
  name: keyof Adapter,
  { key, find }: Rule<'createUser'>,
  store: WrappedStore,
  turn: Store['turn'],
): (...args: Arguments<'createUser'>) => unknown {
  const operation = store[name] as (...args: unknown[]) => MaybePromise<unknown>
  return (...args) => {
    const own = key(...args)
    if (!own) return operation(...args)
    return turn(own, () => {
      if (!find) return operation(...args)
      return whenReady(find(store, ...args), (found) => {
        if (found)
          throw new AdapterError(`${name} was skipped, because another request has stored the record already`)
        return operation(...args)
      })
    })
  }
}
