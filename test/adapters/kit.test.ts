import { describe, expect, it } from 'vitest'
import { adapterContract, ContractBreach, declareContract } from '../../fuzz/adapter/index.ts'
import { rules } from '../../fuzz/adapter/rules.ts'
import { requirements } from '../../spec/index.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import type { Adapter } from '../../src/types/adapter.ts'

const ids = new Set<string>(requirements.map(({ id }) => id))

/** The memory adapter with something else about it, and a count of how often it was closed. */
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
  if (!found) throw new Error(`There is no rule "${rule}"`)
  return found.run().then(
    () => 'kept',
    (error: unknown) => (error instanceof ContractBreach ? error.message : `no breach: ${String(error)}`),
  )
}

describe('the adapter contract kit', () => {
  it('CB-08 has rules with names of their own, about requirements that there are', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
    expect(rules.flatMap(({ proves }) => proves).filter((id) => !ids.has(id))).toEqual([])
    expect(rules.filter(({ proves }) => proves.length === 0)).toEqual([])
  })

  it('CB-08 says what was expected and what came', async () => {
    const unknown = 'getUser answers null for an unknown id'
    expect(await outcomeOf(() => ({}), unknown)).toBe('kept')
    expect(await outcomeOf(() => ({ getUser: () => undefined as unknown as null }), unknown)).toBe(
      'getUser of an unknown id: expected null, but got undefined',
    )
    const throwing = () => Promise.reject(new TypeError('no such row'))
    expect(await outcomeOf(() => ({ getUser: throwing }), unknown)).toBe(
      'getUser: expected an answer, but it threw TypeError: no such row',
    )
  })

  it('CB-08 wants failures thrown as errors', async () => {
    const taken = 'createVerificationToken throws for a pair that is there'
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

  it('CB-08 tells a date from its text', async () => {
    const createSession = (store: Required<Adapter>) => ({
      async createSession(session: Parameters<Required<Adapter>['createSession']>[0]) {
        const { expires, ...row } = await store.createSession(session)
        return { ...row, expires: expires.toISOString() as unknown as Date }
      },
    })
    expect(await outcomeOf(createSession, 'createSession answers the session')).toBe(
      'createSession, expires: expected Date 2099-12-31T23:59:58.123Z, but got "2099-12-31T23:59:58.123Z"',
    )
  })

  it('CB-08 calls operations as methods, and many at once in the order of the calls', async () => {
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

  it('CB-08 names an operation that is missing, and leaves out the rules of one that is said to be', async () => {
    const missing = () => ({ getAccount: undefined as unknown as Required<Adapter>['getAccount'] })
    const rule = 'getAccount takes the account’s id first, and answers null where there is none'
    const every = 'the adapter has each operation, but those that it is said to lack'
    expect(await outcomeOf(missing, rule)).toBe('getAccount: expected function, but got undefined')
    expect(await outcomeOf(missing, every)).toBe('getAccount: expected function, but got undefined')
    const { subject } = subjectOf(missing, ['getAccount'])
    const tests = adapterContract(subject)
    expect(tests.map(({ name }) => name)).not.toContain(rule)
    for (const { run } of tests) await run()
    const claim = adapterContract(subjectOf(() => ({}), ['getAccount']).subject)[0]
    await expect(claim?.run()).rejects.toThrow('getAccount: expected undefined, but got function')
  })

  it('CB-08 closes the store after each rule, kept or broken', async () => {
    const { closed, subject } = subjectOf(() => ({ getUser: () => null }))
    const settled = await Promise.allSettled(adapterContract(subject).map(({ run }) => run()))
    expect(settled.some(({ status }) => status === 'rejected')).toBe(true)
    expect(closed.times).toBe(settled.length)
  })

  it('CB-08 marks the rules whose breach could be used', () => {
    const guards = rules.filter((rule) => rule.guards).flatMap(({ proves }) => proves)
    for (const id of ['SU-01', 'AL-02', 'OI-19', 'CC-02', 'CC-04', 'ADP-019']) expect(guards).toContain(id)
    expect(guards).not.toContain('REC-023')
  })
})

describe('declared with a runner', () => {
  declareContract({ name: 'memory', open: () => ({ adapter: memoryAdapter(), close() {} }) }, it)
})
