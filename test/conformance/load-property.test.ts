import { expect, it } from 'vitest'
import { findTheme, properties } from '../../fuzz/properties/index.ts'
import { loadProperty } from '../../fuzz/properties/load-property.ts'

it('every property is found by the theme that is the name of its file', async () => {
  for (const property of properties) {
    const { name } = property
    expect(await loadProperty(name, findTheme(name))).toBe(property)
  }
})

it('a property that is not there is an error, which says what was looked for', async () => {
  await expect(loadProperty('none of this name', 'paths')).rejects.toThrow(
    'There is no property called "none of this name" in paths',
  )
  expect(() => findTheme('none of this name')).toThrow('There is no property called "none of this name"')
})
