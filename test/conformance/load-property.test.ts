import { expect, it } from 'vitest'
import { findTheme, properties } from '../../fuzz/properties/index.ts'
import { loadProperty } from '../../fuzz/properties/load-property.ts'

it('finds every property by the path of its file', async () => {
  for (const property of properties) {
    const { name } = property
    expect(await loadProperty(name, findTheme(name))).toBe(property)
  }
})

it('names the property and the path if there is no such property', async () => {
  await expect(loadProperty('none of this name', 'http/paths')).rejects.toThrow(
    'There is no property called "none of this name" in http/paths',
  )
  expect(() => findTheme('none of this name')).toThrow('There is no property called "none of this name"')
})
