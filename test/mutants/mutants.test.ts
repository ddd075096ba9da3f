import { describe, expect, it } from 'vitest'
import { properties } from '../../fuzz/properties/index.ts'
import { requirements } from '../../spec/index.ts'
import { explained } from './explained.ts'
import { chartPlaces } from './places.ts'
import { mutants } from './written/index.ts'

const ids = new Set<string>(requirements.map(({ id }) => id))

describe('the written mutants', () => {
  it('have unique names', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  })

  it('break requirements that exist', () => {
    const unknown = mutants.flatMap(({ id, breaks }) =>
      breaks.filter((each) => !ids.has(each)).map((each) => `${id}: ${each}`),
    )
    expect(unknown).toEqual([])
  })

  it('break every must row that has a property', () => {
    const proven = new Set<string>(properties.flatMap(({ proves }) => proves))
    const broken = new Set(
      mutants.filter(({ id }) => !Object.hasOwn(explained, id)).flatMap(({ breaks }) => breaks),
    )
    const due = requirements.filter(
      ({ id, status, level }) => status === 'invariant' && level === 'must' && proven.has(id),
    )
    expect(due.length).toBeGreaterThan(150)
    expect(due.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
  })
})

it('every explanation is of a mutant that exists', () => {
  const known = new Set([...mutants, ...chartPlaces()].map(({ id }) => id))
  expect(Object.keys(explained).filter((id) => !known.has(id))).toEqual([])
})
