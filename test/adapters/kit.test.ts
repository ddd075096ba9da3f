import { describe, expect, it } from 'vitest'
import { adapterContract, ContractBreach, declareContract } from '../../fuzz/adapter/index.ts'
import { rules } from '../../fuzz/adapter/rules.ts'
import { findRequirement } from '../../spec/index.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import type { Adapter, AdapterAccount } from '../../src/types/adapter.ts'

/** A changed memory adapter, and the number of times that it was closed. */
function subjectOf(change: (adapter: Required<Adapter>) => Partial<Adapter>, without?: (keyof Adapter)[]) {
  const closed = { times: 0 }
  const open = () => {
    const adapter = memoryAdapter()
    return { adapter: { ...adapter, ...change(adapter) }, close: () => (closed.times += 1) }
  }
  return { closed, subject: { name: 'changed', open, ...(without && { without }) } }
}

async function outcomeOf(
  change: (adapter: Required<Adapter>) => Partial<Adapter>,
  rule: string,
): Promise<string> {
  const found = adapterContract(subjectOf(change).subject).find(({ name }) => name === rule)
  if (!found) throw new Error(`Unknown rule "${rule}"`)
  return found.run().then(
    () => 'kept',
    (error: unknown) =>
      error instanceof ContractBreach ? error.message : `not a contract breach: ${String(error)}`,
  )
}

describe('the adapter contract kit', () => {
  it('CB-08 has rules with unique names, and each proves an existing requirement', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
    expect(rules.flatMap(({ proves }) => proves).filter((id) => !findRequirement(id))).toEqual([])
    expect(rules.filter(({ proves }) => proves.length === 0)).toEqual([])
  })

  it('CB-08 reports the expected and the actual result', async () => {
    const unknown = 'getUser returns null for an unknown id'
    expect(await outcomeOf(() => ({}), unknown)).toBe('kept')
    expect(await outcomeOf(() => ({ getUser: () => undefined as unknown as null }), unknown)).toBe(
      'getUser of an unknown id: expected null, but got undefined',
    )
    const throwing = () => Promise.reject(new TypeError('no such row'))
    expect(await outcomeOf(() => ({ getUser: throwing }), unknown)).toBe(
      'getUser: expected a result, but it threw TypeError: no such row',
    )
  })

  it('CB-08 requires failures to be thrown as errors', async () => {
    const taken = 'createVerificationToken throws for a duplicate'
    const throwing = (thrown: unknown) => (store: Required<Adapter>) => {
      let calls = 0
      return {
        createVerificationToken(token: Parameters<Required<Adapter>['createVerificationToken']>[0]) {
          calls += 1
          // oxlint-disable-next-line typescript/only-throw-error -- what an adapter may do
          if (calls > 1) throw thrown
          return store.createVerificationToken(token)
        },
      }
    }
    expect(await outcomeOf(throwing(new Error('taken')), taken)).toBe('kept')
    expect(await outcomeOf(throwing('taken'), taken)).toBe(
      'createVerificationToken of a taken pair: expected an Error thrown, but "taken" was thrown',
    )
  })

  it('CB-08 distinguishes a date from its string', async () => {
    const createSession = (store: Required<Adapter>) => ({
      async createSession(session: Parameters<Required<Adapter>['createSession']>[0]) {
        const { expires, ...row } = await store.createSession(session)
        return { ...row, expires: expires.toISOString() as unknown as Date }
      },
    })
    expect(await outcomeOf(createSession, 'createSession returns the session')).toBe(
      'createSession, expires: expected Date 2099-12-31T23:59:58.123Z, but got "2099-12-31T23:59:58.123Z"',
    )
  })

  it.each<[string, string, (adapter: Required<Adapter>) => Partial<Adapter>, string]>([
    [
      'DEC-39b lists the accounts of all users',
      'listAccountsByUserId lists the accounts of the user, or none for an unknown one',
      (store) => {
        const all: AdapterAccount[] = []
        return {
          async linkAccount(account) {
            all.push(account)
            await store.linkAccount(account)
          },
          listAccountsByUserId: () => all,
        }
      },
      'the accounts of the user: expected',
    ],
    [
      'DEC-39b lists accounts without their type',
      'listAccountsByUserId lists the accounts of the user, or none for an unknown one',
      (store) => ({
        listAccountsByUserId: async (id) =>
          (await store.listAccountsByUserId(id)).map(({ type: _, ...rest }) => rest as AdapterAccount),
      }),
      'the accounts of the user: expected',
    ],
    [
      'OPT-046 lists the sessions of all users',
      'listSessionsByUserId lists the sessions of the user, or none for an unknown one',
      (store) => {
        const tokens: string[] = []
        return {
          createSession(session) {
            tokens.push(session.sessionToken)
            return store.createSession(session)
          },
          async listSessionsByUserId() {
            const found = await Promise.all(tokens.map(async (token) => store.getSessionAndUser(token)))
            return found.flatMap((each) => each?.session ?? [])
          },
        }
      },
      'the number of sessions of the user: expected',
    ],
    [
      'OPT-046 lists sessions with a hash instead of the token',
      'listSessionsByUserId lists the sessions of the user, or none for an unknown one',
      (store) => ({
        listSessionsByUserId: async (id) =>
          (await store.listSessionsByUserId(id)).map((row) => ({
            ...row,
            sessionToken: `#${row.sessionToken}`,
          })),
      }),
      'a session, sessionToken: expected',
    ],
    [
      'CC-04 restores a session that is extended while its user is deleted',
      'concurrent updateSession calls do not restore the sessions that deleteSessionsByUserId or deleteUser removes',
      (store) => ({
        async updateSession(patch) {
          const found = await store.getSessionAndUser(patch.sessionToken)
          await Promise.resolve()
          if (found && !(await store.getSessionAndUser(patch.sessionToken)))
            await store.createSession({ ...found.session, ...patch })
          return store.updateSession(patch)
        },
      }),
      'getSessionAndUser after deleteSessionsByUserId: expected null',
    ],
    [
      'DEC-39c removes one session of the user',
      'deleteSessionsByUserId removes only that user’s sessions, and does not throw if there are none',
      (store) => ({ deleteSessionsByUserId: async () => store.deleteSession('Token-1') }),
      'getSessionAndUser of Token-2: expected null',
    ],
    [
      'DEC-39c removes the sessions of all users',
      'deleteSessionsByUserId removes only that user’s sessions, and does not throw if there are none',
      (store) => ({
        async deleteSessionsByUserId() {
          for (const token of ['Token-1', 'Token-2', 'Token-3']) await store.deleteSession(token)
        },
      }),
      'the user of the other session: expected',
    ],
    [
      'DEC-39c does not remove the credential',
      'deleteAuthenticator removes that credential, and does not throw if there is none',
      () => ({ deleteAuthenticator: () => undefined }),
      'getAuthenticator: expected null',
    ],
    [
      'DEC-39c removes all credentials of the user',
      'deleteAuthenticator removes that credential, and does not throw if there is none',
      (store) => ({
        async deleteAuthenticator(id) {
          const owner = await store.getAuthenticator(id)
          const rows = owner ? await store.listAuthenticatorsByUserId(owner.userId) : []
          for (const { credentialID } of rows) await store.deleteAuthenticator(credentialID)
        },
      }),
      'the remaining authenticators: expected',
    ],
  ])('detects an adapter that %s', async (_, name, change, failure) => {
    expect(await outcomeOf(() => ({}), name)).toBe('kept')
    expect(await outcomeOf(change, name)).toContain(failure)
  })

  it('CB-08 calls operations as methods, and concurrent ones in the order of the calls', async () => {
    const inner = memoryAdapter()
    class Store {
      readonly #inner = inner
      createVerificationToken(token: Parameters<typeof inner.createVerificationToken>[0]) {
        return this.#inner.createVerificationToken(token)
      }
      useVerificationToken(key: Parameters<typeof inner.useVerificationToken>[0]) {
        return this.#inner.useVerificationToken(key)
      }
    }
    const subject = { name: 'a class', open: () => ({ adapter: new Store(), close() {} }) }
    const once = adapterContract(subject).find(({ id }) => id.includes('SU-01'))
    expect(await once?.run()).toBeUndefined()
  })

  it('CB-08 reports a missing operation, and skips its rules if it is declared missing', async () => {
    const missing = () => ({ getAccount: undefined as unknown as Required<Adapter>['getAccount'] })
    const rule = 'getAccount takes the account’s id first, and returns null if there is none'
    const every = 'the adapter has each operation, except those declared missing'
    expect(await outcomeOf(missing, rule)).toBe('getAccount: expected function, but got undefined')
    expect(await outcomeOf(missing, every)).toBe('getAccount: expected function, but got undefined')
    const { subject } = subjectOf(missing, ['getAccount'])
    const tests = adapterContract(subject)
    expect(tests.map(({ name }) => name)).not.toContain(rule)
    for (const { run } of tests) await run()
    const claim = adapterContract(subjectOf(() => ({}), ['getAccount']).subject)[0]
    await expect(claim?.run()).rejects.toThrow('getAccount: expected undefined, but got function')
  })

  it('CB-08 closes the store after each rule, whether it passes or fails', async () => {
    const { closed, subject } = subjectOf(() => ({ getUser: () => null }))
    const settled = await Promise.allSettled(adapterContract(subject).map(({ run }) => run()))
    expect(settled.some(({ status }) => status === 'rejected')).toBe(true)
    expect(closed.times).toBe(settled.length)
  })

  it('CB-08 marks the rules whose violation could be exploited', () => {
    const guards = rules.filter((rule) => rule.guards).flatMap(({ proves }) => proves)
    for (const id of ['SU-01', 'AL-02', 'OI-19', 'CC-02', 'CC-04', 'ADP-019']) expect(guards).toContain(id)
    expect(guards).not.toContain('REC-023')
  })
})

describe('declareContract', () => {
  declareContract({ name: 'memory', open: () => ({ adapter: memoryAdapter(), close() {} }) }, it)
})
