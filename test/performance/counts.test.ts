import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { costs, loaded, type Cost } from './table.ts'

interface Counted {
  readonly table: Readonly<Record<string, Cost>>
  readonly modules: { readonly own: number; readonly packages: readonly string[] }
}

/** On the Node of the development dependencies, whatever runs the tests: others make other promises inside. */
const node = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url))
const program = fileURLToPath(new URL('count.ts', import.meta.url))
const counted = JSON.parse(execFileSync(node, [program], { encoding: 'utf8' })) as Counted

describe('what a request costs', () => {
  it('is known for each kind', () => {
    expect(Object.keys(counted.table).toSorted()).toEqual([...Object.keys(costs), 'self-test'].toSorted())
  })

  it.each(Object.entries(costs))('is for %s no more than the table says', (name, cost) => {
    for (const [what, most] of Object.entries(cost))
      expect(counted.table[name]?.[what as keyof Cost], what).toBeLessThanOrEqual(most)
  })

  it('counts: work for the thread pool, promises, timers, adapter and network are all seen', () => {
    const { promises = 0, ...others } = counted.table['self-test'] ?? {}
    expect(others).toEqual({ jobs: 1, timers: 1, store: 1, fetches: 1 })
    expect(promises).toBeGreaterThan(2)
  })
})

describe('a session request', () => {
  it('loads no package but those that every flow needs', () => {
    expect(counted.modules.packages).toEqual(loaded.packages)
  })

  it('loads no page, no ceremony and no provider', () => {
    expect(counted.modules.own).toBeGreaterThan(0)
    expect(counted.modules.own).toBeLessThanOrEqual(loaded.own)
  })
})
