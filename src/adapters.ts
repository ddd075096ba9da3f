export * from './types/adapter.ts'
export type { RevocationStore } from './types/revocation.ts'

const dateTime = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/

/**
 * Returns whether a value is a string with an ISO 8601 date and time. Stores that keep dates as text use it to restore
 * them.
 *
 * @param value any value
 * @returns whether the value is such a string
 * @example
 * const restored = isDate(column) ? new Date(column) : column
 */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && dateTime.test(value) && !Number.isNaN(Date.parse(value))
}
