import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import { spread } from '../support/spread.ts'
import { judge } from './judge.ts'

judge({ name: 'memory', open: () => ({ adapter: memoryAdapter(), close() {} }) })

describe('the memory adapter', { timeout: 30_000 }, () => {
  it('CC-07 shares no state with another memory adapter', async () => {
    const [one, two] = [memoryAdapter(), memoryAdapter()]
    await one.createUser({ id: 'u', email: 'a@example.com', emailVerified: null })
    expect(await two.getUser('u')).toBeNull()
  })

  it('CB-08 keeps addresses and accounts unique, and every row with its owner, after any sequence of operations', async () => {
    const cases = spread('random operations on the memory adapter')
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40, size: 'max' }), async (commands) => {
        const store = memoryAdapter()
        const model: Model = { users: new Map(), accounts: new Map(), sessions: new Map() }
        for (const { name, id, value } of commands) {
          const wanted = apply(model, name, id, value)
          const done = await attempt(store, name, id, value)
          expect([name, done]).toEqual([name, wanted])
          cases.count(`${name} ${done}`)
        }
        await expectSame(store, model)
      }),
      { numRuns: 300 },
    )
    cases.report()
    for (const name of ['create', 'move', 'link', 'open']) {
      cases.atLeast(`${name} done`, 50)
      cases.atLeast(`${name} refused`, 50)
    }
    cases.atLeast('delete done', 50)
  })
})

const names = ['create', 'move', 'delete', 'link', 'open', 'close'] as const
type Name = (typeof names)[number]
const few = fc.constantFrom('a', 'b', 'c')
const command = fc.record({ name: fc.constantFrom(...names), id: few, value: few })

/** A minimal model of a store: user to address, account to user, session to user. */
interface Model {
  readonly users: Map<string, string>
  readonly accounts: Map<string, string>
  readonly sessions: Map<string, string>
}

/** Applies an operation to the model. @returns whether a store must accept it */
function apply({ users, accounts, sessions }: Model, name: Name, id: string, value: string) {
  const taken = [...users].some(([owner, address]) => address === value && owner !== id)
  const allowed = {
    create: !users.has(id) && !taken,
    move: users.has(id) && !taken,
    delete: true,
    link: users.has(id) && !accounts.has(value),
    open: users.has(id) && !sessions.has(value),
    close: true,
  }[name]
  if (!allowed) return 'refused'
  if (name === 'create' || name === 'move') users.set(id, value)
  if (name === 'link') accounts.set(value, id)
  if (name === 'open') sessions.set(value, id)
  if (name === 'close') sessions.delete(value)
  if (name === 'delete') {
    users.delete(id)
    for (const rows of [accounts, sessions]) {
      for (const [key, owner] of rows) if (owner === id) rows.delete(key)
    }
  }
  return 'done'
}

async function attempt(store: Required<Adapter>, name: Name, id: string, value: string) {
  const account = { provider: 'p', providerAccountId: value, type: 'oauth', userId: id } as const
  const session = { sessionToken: value, userId: id, expires: new Date(0) }
  const operations = {
    create: () => store.createUser({ id, email: value, emailVerified: null }),
    move: () => store.updateUser({ id, email: value }),
    delete: () => store.deleteUser(id),
    link: () => store.linkAccount(account),
    open: () => store.createSession(session),
    close: () => store.deleteSession(value),
  }
  try {
    await operations[name]()
    return 'done'
  } catch {
    return 'refused'
  }
}

async function expectSame(store: Required<Adapter>, { users, accounts, sessions }: Model) {
  for (const key of ['a', 'b', 'c']) {
    const owner = [...users].find(([, address]) => address === key)?.[0]
    expect((await store.getUser(key))?.email).toBe(users.get(key))
    expect((await store.getUserByEmail(key))?.id).toBe(owner)
    const byAccount = await store.getUserByAccount({ provider: 'p', providerAccountId: key })
    expect(byAccount?.id).toBe(accounts.get(key))
    expect((await store.getSessionAndUser(key))?.user.id).toBe(sessions.get(key))
  }
}
