/** Formats a value in one line, so that `null` and `undefined`, a date and its string, 1 and '1' look different. */
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
