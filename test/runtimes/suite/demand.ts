/** A check of the suite, under a name that says what holds. */
export type Check<Library> = readonly [name: string, check: (library: Library) => Promise<void>]

/** @throws Error unless the two are the same, as JSON spells them */
export function demandEqual(found: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: expected ${other}, found ${one}`)
}

/** @throws Error unless it holds */
export function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
