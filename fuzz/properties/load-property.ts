import type { Property } from './property.ts'

/**
 * Loads one property, without the other themes, which halves the start-up time of a thread.
 * @throws {Error} if the theme does not exist, or has no property of that name
 */
export async function loadProperty(name: string, theme: string): Promise<Property> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const loaded = (await import(/* @vite-ignore */ `./${theme}.${extension}`)) as Readonly<
    Record<string, readonly Property[]>
  >
  const found = Object.values(loaded)
    .flat()
    .find((property) => property.name === name)
  if (!found) throw new Error(`There is no property called "${name}" in ${theme}`)
  return found
}
