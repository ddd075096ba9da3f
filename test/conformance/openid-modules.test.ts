import { describe, expect, it } from 'vitest'
import { properties } from '../../fuzz/properties/index.ts'
import { setupsOf } from '../../fuzz/properties/property.ts'
import { countModules, kindOf, writeModulesPage } from './openid-modules-page.ts'
import { plans } from './openid-modules.ts'

const entries = plans.flatMap(({ modules }) => Object.entries(modules))
const names = entries.map(([name]) => name)
const setups = new Map(properties.map((property) => [property.name, Object.keys(setupsOf(property))]))

describe('the modules of the OpenID conformance suite', () => {
  it('are all those for relying parties, once each', () => {
    expect(plans.map(({ modules }) => Object.keys(modules).length)).toEqual([39, 3, 14, 1])
    expect(new Set(names).size).toBe(57)
    expect(names.filter((name) => !/^oidcc-client-test(-[a-z0-9]+)*$/.test(name))).toEqual([])
  })

  it('name properties and applications that exist', () => {
    const unknown = entries.filter(([, module]) => {
      if (!('property' in module)) return module.similar !== undefined && !setups.has(module.similar)
      const known = setups.get(module.property)
      return !known || (module.setup !== undefined && !known.includes(module.setup))
    })
    expect(unknown).toEqual([])
  })

  it('are by URL only if their property is, on the application that does the same', () => {
    const kinds = new Map(entries.map(([name, module]) => [name, kindOf(module)]))
    expect(kinds.get('oidcc-client-test-invalid-iss')).toBe('by URL')
    expect(kinds.get('oidcc-client-test-form-post-error')).toBe('in process')
    expect(kinds.get('oidcc-client-test-refresh-token')).toBe('in process')
  })

  it('add up to the counts on the page', () => {
    const counts = countModules()
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(names.length)
    expect(writeModulesPage()).toContain(
      `${counts['by URL'] + counts['in process']} modules have a property: ${counts['by URL']} also`,
    )
    expect(writeModulesPage().match(/^\| `oidcc-/gm)).toHaveLength(names.length)
  })
})
