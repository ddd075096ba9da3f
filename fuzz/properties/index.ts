import type { Property } from './property.ts'
import { themes } from './themes.ts'

/** Every property. */
export const properties: readonly Property[] = Object.values(themes).flat()

/** Returns the property with this name. @throws {Error} if there is none */
export function findProperty(name: string): Property {
  const found = properties.find((property) => property.name === name)
  if (!found) throw new Error(`There is no property called "${name}"`)
  return found
}

/** Returns the theme of a property, for `loadProperty`. @throws {Error} if there is no such property */
export function findTheme(name: string): string {
  const property = findProperty(name)
  return Object.keys(themes).find((theme) => themes[theme]?.includes(property)) ?? ''
}
