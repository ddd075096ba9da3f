import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createTurns } from '../../src/flows/engine/world.ts'
import { createWorld } from '../../src/handler/run-flow.ts'
import { derive } from '../config/derive.ts'

const key = ['identity', 'idp', '1'] as const

/** The store of a site, which the turns of other tests do not reach. */
function openStore() {
  const { store } = createWorld(derive({ adapter: memoryAdapter(), basePath: `/${crypto.randomUUID()}` }))
  if (!store) throw new Error('there is no store')
  return store
}

const settled = async () => {
  for (let round = 0; round < 10; round++) await Promise.resolve()
}

describe('the turns of a run', () => {
  it('CC-01 make later work on the same key wait until they end', async () => {
    const store = openStore()
    const turns = createTurns()
    const done: string[] = []
    await turns.take(key, store)
    const later = store.turn(key, () => void done.push('same key'))
    await store.turn(['identity', 'idp', '2'], () => void done.push('other key'))
    expect(done).toEqual(['other key'])
    turns.end()
    await later
    expect(done).toEqual(['other key', 'same key'])
  })

  it('CC-01 wait for earlier ones', async () => {
    const store = openStore()
    const [first, second] = [createTurns(), createTurns()]
    let begun = false
    await first.take(key, store)
    const taking = second.take(key, store).then(() => void (begun = true))
    await settled()
    expect(begun).toBe(false)
    first.end()
    await taking
    expect(begun).toBe(true)
    second.end()
  })

  it('CC-01 can end before they begin', async () => {
    const store = openStore()
    const [first, second] = [createTurns(), createTurns()]
    void first.take(key, store)
    void second.take(key, store)
    second.end()
    first.end()
    await expect(Promise.resolve(store.turn(key, () => 'done'))).resolves.toBe('done')
  })
})
