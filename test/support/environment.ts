type Variables = Readonly<Record<string, string | undefined>>

/**
 * Does something while these are the only environment variables of the library's. What it starts and does not wait for
 * sees them no more: settings are derived at once, so that is enough.
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

/** The names of the variables that something reads. */
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
