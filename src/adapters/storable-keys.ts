/**
 * Returns whether these values can identify a row. Other values are never sent to the store: empty text identifies no
 * row, and some stores throw on characters they cannot store (U+0000, lone surrogates), or replace them.
 */
export function areKeys(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string' && value !== '' && isStorable(value))
}

function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || !/[\0\p{Surrogate}]/u.test(value)
}

/** The members by which rows are looked up. A store that replaces a character would store a different key. */
export const keys = [
  'id',
  'email',
  'userId',
  'provider',
  'providerAccountId',
  'sessionToken',
  'identifier',
  'token',
  'credentialID',
  'key',
] as const

/** @throws Error if a store cannot keep a key of the record exactly */
export function checkKeys(record: Readonly<Record<string, unknown>>): void {
  const wrong = keys.find((name) => !isStorable(record[name]))
  if (wrong) throw new Error(`\`${wrong}\` contains U+0000 or a lone surrogate, which cannot be stored`)
}
