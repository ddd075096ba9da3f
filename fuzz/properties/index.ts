import type { Property } from './property.ts'
import { transactionProperties } from './transactions.ts'

/** All there are. */
export const properties: readonly Property[] = [...transactionProperties]

/** @throws {Error} when there is none of that name */
export function findProperty(name: string): Property {
  const found = properties.find((property) => property.name === name)
  if (!found) throw new Error(`There is no property called "${name}"`)
  return found
}
