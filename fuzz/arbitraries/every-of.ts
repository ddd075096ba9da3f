import fc from 'fast-check'

/** A finite list of cases, and the arbitrary that draws from it. */
export interface Listed<T> {
  readonly cases: readonly T[]
  readonly input: fc.Arbitrary<T>
}

/** Lists these values. */
export function eachOf<const T>(values: readonly T[]): Listed<T> {
  return { cases: values, input: fc.constantFrom(...values) }
}

/**
 * Lists every combination of these values.
 *
 * @example
 * everyOf({ provider: ['alpha', 'beta'], isFirst: [true, false] }).cases.length // 4
 */
export function everyOf<const V extends Readonly<Record<string, readonly unknown[]>>>(
  values: V,
): Listed<{ readonly [Name in keyof V]: V[Name][number] }> {
  let cases: Readonly<Record<string, unknown>>[] = [{}]
  for (const [name, each] of Object.entries(values))
    cases = cases.flatMap((before) => each.map((value) => ({ ...before, [name]: value })))
  // Each member has one of its values.
  return eachOf(cases as { readonly [Name in keyof V]: V[Name][number] }[])
}
