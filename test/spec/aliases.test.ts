import { describe, expect, it } from 'vitest'
import { findRequirement, requirement, requirements } from '../../spec/index.ts'

describe('the ids of the specification', () => {
  const names = requirements.flatMap(({ id, aliases = [] }) => [id, ...aliases])

  it('are used once, aliases included', () => {
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('have no empty list of aliases', () => {
    expect(requirements.filter(({ aliases }) => aliases?.length === 0).map(({ id }) => id)).toEqual([])
  })

  it('are all found, an alias as the row that it was merged into', () => {
    const lost = requirements.filter((row) =>
      [row.id, ...(row.aliases ?? [])].some((name) => findRequirement(name) !== row),
    )
    expect(lost).toEqual([])
    expect(requirement('DEC-17a')).toBe(requirement('SE-07'))
  })

  it('are not found if they are unknown', () => {
    expect(findRequirement('SE-999')).toBeUndefined()
    expect(findRequirement('constructor')).toBeUndefined()
  })
})
