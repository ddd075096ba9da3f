/** A value in one line, for a message that has to tell `null` from `undefined`, a date from its text, 1 from '1'. */
export function show(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : `Date ${value.toISOString()}`
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${show(each)}`)
      .join(', ')} }`
  }
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? typeof value)
}
