/**
 * What the oracle assumes of a target, unless it declares that a router in front of it, such as that of its framework,
 * handles this.
 */
const assumed: Readonly<Record<string, string>> = {
  'merged-slashes': 'exact-paths',
  'routed-methods': 'every-method',
}

/** The capabilities that declare such a router, by the assumption that they replace. */
export const opposites = new Map(Object.entries(assumed).map(([opposite, name]) => [name, opposite]))

/** Returns the capabilities of a target, including those that the oracle assumes. */
export function assumeRouter(declared: readonly string[]): ReadonlySet<string> {
  const own = [...opposites].filter(([, opposite]) => !declared.includes(opposite)).map(([name]) => name)
  return new Set([...declared, ...own])
}
