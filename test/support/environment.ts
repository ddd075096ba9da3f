type Variables = Readonly<Record<string, string | undefined>>

/**
 * Runs a function with only these environment variables for the library. Work that it starts without awaiting does not
 * see them; settings are derived at once, so that is enough.
 */
export function withEnvironment<T>(variables: Variables, act: () => T): T {
  const before = process.env
  const rest = Object.entries(before).filter(
    ([name]) => !/^(NEXT)?AUTH_|^(VERCEL|CF_PAGES|NODE_ENV)$/.test(name),
  )
  process.env = { ...Object.fromEntries(rest), ...variables }
  try {
    return act()
  } finally {
    process.env = before
  }
}

/** The names of the variables that a function reads. */
export function variablesReadBy(act: () => void): string[] {
  const before = process.env
  const names = new Set<string>()
  process.env = new Proxy(before, {
    get(target, name) {
      if (typeof name === 'string') names.add(name)
      return Reflect.get(target, name) as unknown
    },
  })
  try {
    act()
  } finally {
    process.env = before
  }
  return [...names].toSorted()
}
