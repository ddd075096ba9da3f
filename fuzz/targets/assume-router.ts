/** What a target has, unless it declares the opposite: that a router in front of it, such as that of its framework, does this. */
const assumed: Readonly<Record<string, string>> = {
  'merged-slashes': 'exact-paths',
  'routed-methods': 'every-method',
}

/** The capabilities that only routers in front of a target declare, by what a target is assumed to have. */
export const opposites = new Map(Object.entries(assumed).map(([opposite, name]) => [name, opposite]))

/** Returns the capabilities of a target, with those that it has because it does not declare the opposite. */
export function assumeRouter(declared: readonly string[]): ReadonlySet<string> {
  const own = [...opposites].filter(([, opposite]) => !declared.includes(opposite)).map(([name]) => name)
  return new Set([...declared, ...own])
}
