import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { requirements } from '../../spec/index.ts'
import { applyMutant } from './apply.ts'
import { properties } from '../../fuzz/properties/index.ts'
import { explained } from '../../fuzz/zoo/explained.ts'
import { generatedPrey } from '../../fuzz/zoo/prey.ts'
import { mutants } from '../../fuzz/zoo/written/index.ts'

const top = new URL('../../', import.meta.url)
const ids = new Set<string>(requirements.map(({ id }) => id))

describe('the written mutants', () => {
  it('have names of their own, and name requirements that exist', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
    for (const { id, kills } of mutants)
      expect(
        kills.filter((each) => !ids.has(each)),
        id,
      ).toEqual([])
  })

  it('still fit the sources', () => {
    for (const mutant of mutants) {
      const source = readFileSync(new URL(mutant.file, top), 'utf8')
      expect(applyMutant(source, mutant), mutant.id).not.toBe(source)
    }
  })
})

it('every must row that has a property is named by a mutant which is to be noticed', () => {
  const proven = new Set<string>(properties.flatMap(({ proves }) => proves))
  const named = new Set(
    mutants.filter(({ id }) => !Object.hasOwn(explained, id)).flatMap(({ kills }) => kills),
  )
  const due = requirements.filter(
    ({ id, status, level }) => status === 'invariant' && level === 'must' && proven.has(id),
  )
  expect(due.length).toBeGreaterThan(150)
  expect(due.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([])
})

it('an explanation is one of a mutant that exists', () => {
  const known = new Set([...mutants, ...generatedPrey()].map(({ id }) => id))
  expect(Object.keys(explained).filter((id) => !known.has(id))).toEqual([])
})
