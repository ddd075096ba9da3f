import { describe, expect, it } from 'vitest'
import { properties } from '../../../fuzz/properties/index.ts'
import { setupsOf } from '../../../fuzz/properties/property.ts'
import { mutants } from '../written/index.ts'
import { listApplicationsByUrl } from './by-url.ts'
import { readControls, type Way } from './control.ts'
import { withoutControl } from './without-control.ts'

const controls = await readControls()
const ways: readonly Way[] = ['library', 'http']
const due: Readonly<Record<Way, readonly string[]>> = {
  library: properties.map(({ name }) => name),
  http: properties.filter((each) => listApplicationsByUrl(each).length > 0).map(({ name }) => name),
}

describe.each(ways)('the controls (%s)', (way) => {
  it('exist for every property, or a reason does, and never both', () => {
    const has = (name: string) => [controls, withoutControl].filter((each) => Object.hasOwn(each[way], name))
    expect(due[way].filter((name) => has(name).length !== 1)).toEqual([])
  })

  it('belong to properties that can be judged in this way', () => {
    const known = new Set(due[way])
    const named = [...Object.keys(controls[way]), ...Object.keys(withoutControl[way])]
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it('name mutants and applications that exist', () => {
    const ids = new Set(mutants.map(({ id }) => id))
    const setups = new Map(properties.map((each) => [each.name, Object.keys(setupsOf(each))]))
    const unknown = Object.entries(controls[way]).filter(
      ([property, { mutant, also = mutant, setup }]) =>
        !ids.has(mutant) || !ids.has(also) || !setups.get(property)?.includes(setup),
    )
    expect(unknown).toEqual([])
  })
})
