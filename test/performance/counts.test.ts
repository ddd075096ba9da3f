import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { costs, loaded, type Cost } from './table.ts'

interface Counted {
  readonly table: Readonly<Record<string, Cost>>
  readonly modules: { readonly own: number; readonly packages: readonly string[] }
}

/**
 * Runs on the Node of the development dependencies, whatever Node runs the tests: other versions create other internal
 * promises.
 */
const node = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url))
const program = fileURLToPath(new URL('count.ts', import.meta.url))
const counted = JSON.parse(execFileSync(node, [program], { encoding: 'utf8' })) as Counted

describe('the cost of a request', () => {
  it('is in the table for each kind', () => {
    expect(Object.keys(counted.table).toSorted()).toEqual([...Object.keys(costs), 'self-test'].toSorted())
  })

  it.each(Object.entries(costs))('for %s does not exceed the table', (name, cost) => {
    for (const [what, most] of Object.entries(cost))
      expect(counted.table[name]?.[what as keyof Cost], what).toBeLessThanOrEqual(most)
  })

  it('counts everything that the table has a column for', () => {
    const { promises = 0, ...others } = counted.table['self-test'] ?? {}
    expect(Object.keys(others)).toHaveLength(11)
    expect(new Set(Object.values(others))).toEqual(new Set([1]))
    expect(promises).toBeGreaterThan(2)
  })
})

describe('a session request', () => {
  it('loads only the packages that every flow needs', () => {
    expect(counted.modules.packages).toEqual(loaded.packages)
  })

  it('loads no page, no ceremony and no provider', () => {
    expect(counted.modules.own).toBeGreaterThan(0)
    expect(counted.modules.own).toBeLessThanOrEqual(loaded.own)
  })
})
