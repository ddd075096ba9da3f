export * from './types/adapter.ts'

const dateTime = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/

/** Is this a string that holds an ISO 8601 date-time? Stores that keep dates as text revive them with it. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && dateTime.test(value) && !Number.isNaN(Date.parse(value))
}
