import { describe, expect, it } from 'vitest'
import { findRequirement, requirements } from '../spec/index.ts'
import { mutants } from './mutants/written/index.ts'
import { pending, pendingCeiling } from './pending.ts'
import { collect } from './trace/collect.ts'
import { standings } from './trace/standing.ts'

const top = new URL('../', import.meta.url)
const trace = await collect(top)
const rows = standings(trace, mutants)
const listed = (list: object): readonly string[] => Object.keys(list)

/** The command that shortens the list after a test was added. Titles contain it, so that a failure shows it. */
const settle = 'node test/trace/settle.ts'

describe('the specification', () => {
  it('gives a reason for every decision', () => {
    expect(requirements.filter((row) => row.status === 'decided' && !row.why).map((row) => row.id)).toEqual(
      [],
    )
  })
})

describe('every referenced id exists', () => {
  it('in tests and properties', () => {
    const unknown = trace.witnesses.flatMap(({ ids: named, file, name }) =>
      named.filter((id) => !findRequirement(id)).map((id) => `${id} in ${file}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('in charts', () => {
    const unknown = trace.chartStates.flatMap(({ ids: named, file, state }) =>
      named.filter((id) => !findRequirement(id)).map((id) => `${id} in ${file}: ${state}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('every must is proven by a test', () => {
  const owed = rows.filter((row) => row.state === 'owed').map((row): string => row.requirement.id)

  it('or listed as pending', () => {
    expect(owed.filter((id) => !listed(pending).includes(id))).toEqual([])
  })

  it(`and then no longer listed as pending (${settle})`, () => {
    expect(listed(pending).filter((id) => !owed.includes(id))).toEqual([])
  })

  it(`and the pending list only shrinks, with its ceiling (${settle})`, () => {
    expect(listed(pending).length).toBe(pendingCeiling)
  })
})

it('every must with a test is broken by a written mutant, or proven by a scenario', () => {
  const unproven = rows.filter(
    ({ state, requirement }) => state === 'witnessed' && requirement.level === 'must',
  )
  expect(unproven.map(({ requirement }) => requirement.id)).toEqual([])
})
