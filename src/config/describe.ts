/** What a value is, without saying what is in it. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === '') return 'an empty string'
  return typeof value === 'undefined' ? 'undefined' : `a value of type ${typeof value}`
}
