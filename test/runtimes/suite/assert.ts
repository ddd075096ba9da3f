/** A check of the suite, named after the expected behaviour. */
export type Check<Library> = readonly [name: string, check: (library: Library) => Promise<void>]

/** @throws Error unless both values have the same JSON */
export function assertEqual(found: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: expected ${other}, found ${one}`)
}

/** @throws Error unless the condition holds */
export function assert(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
