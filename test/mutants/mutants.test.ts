import { describe, expect, it } from 'vitest'
import { properties } from '../../fuzz/properties/index.ts'
import { findRequirement, requirements } from '../../spec/index.ts'
import { explained } from './explained.ts'
import { chartPlaces } from './places.ts'
import { rowsBrokenBy } from './rows-broken-by.ts'
import { mutants } from './written/index.ts'

describe('the written mutants', () => {
  it('have unique names', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  })

  it('break requirements that exist', () => {
    const unknown = mutants.flatMap(({ id, breaks }) =>
      breaks.filter((each) => !findRequirement(each)).map((each) => `${id}: ${each}`),
    )
    expect(unknown).toEqual([])
  })

  it('break every MUST invariant that has a property', () => {
    const proven = new Set<string>(properties.flatMap(({ proves }) => proves))
    const broken = new Set(mutants.filter(({ id }) => !Object.hasOwn(explained, id)).flatMap(rowsBrokenBy))
    const due = requirements.filter(
      ({ id, status, level }) => status === 'invariant' && level === 'must' && proven.has(id),
    )
    expect(due.length).toBeGreaterThan(150)
    expect(due.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
  })
})

it('every explanation names an existing mutant', () => {
  const known = new Set([...mutants, ...chartPlaces()].map(({ id }) => id))
  expect(Object.keys(explained).filter((id) => !known.has(id))).toEqual([])
})
