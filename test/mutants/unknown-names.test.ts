import { expect, it } from 'vitest'
import { mutantsOf } from './mutant.ts'
import { locateAll } from './stale.ts'
import { findUnknownNames } from './unknown-names.ts'

const find = 'new WeakMap<K, { readonly value: V }>()'
const mutants = mutantsOf('src/once.ts', [
  { id: 'variable', in: 'oncePer', find, replace: 'cache', breaks: [] },
  { id: 'member', in: 'oncePer', find, replace: `${find}.clear()`, breaks: [] },
  { id: 'other type', in: 'oncePer', find, replace: 'new Map<K, { readonly value: V }>()', breaks: [] },
])

it('finds mutants that use a variable or a member that does not exist', { timeout: 60_000 }, () => {
  const found = findUnknownNames(locateAll(mutants).located)
  expect(found.map(({ id }) => id)).toEqual(['variable', 'member'])
  expect(found[0]?.why).toContain("Cannot find name 'cache'")
})
