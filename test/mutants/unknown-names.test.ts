import { expect, it } from 'vitest'
import { mutantsOf } from './mutant.ts'
import { locateAll } from './stale.ts'
import { findUnknownNames } from './unknown-names.ts'

const find = 'new Map<K, Entry<V>>()'
const mutants = mutantsOf('src/token/bounded-cache.ts', [
  { id: 'variable', in: 'createBoundedCache', find, replace: 'cache', breaks: [] },
  { id: 'member', in: 'createBoundedCache', find, replace: `${find}.clean()`, breaks: [] },
  {
    id: 'other type',
    in: 'createBoundedCache',
    find,
    replace: 'new Map<K, { value: V; usedAt: number }>()',
    breaks: [],
  },
])

it('finds mutants that use a variable or a member that does not exist', { timeout: 60_000 }, () => {
  const found = findUnknownNames(locateAll(mutants).located)
  expect(found.map(({ id }) => id)).toEqual(['variable', 'member'])
  expect(found[0]?.why).toContain("Cannot find name 'cache'")
})
