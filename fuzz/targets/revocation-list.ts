/**
 * Creates a list of revoked tokens that forgets each entry when its seconds are over, by the clock of the world. Others may
 * return an entry for longer, and then a library that stores it for too short a time is not noticed.
 */
export function createRevocationList() {
  const entries = new Map<string, { readonly value: number; readonly until: number }>()
  const read = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.until > Date.now() ? entry : undefined
  }
  return {
    find: async (keys: readonly string[]) => keys.map((key) => read(key)?.value ?? null),
    async add(key: string, value: number, seconds: number) {
      const { value: held = 0, until = 0 } = read(key) ?? {}
      const end = Date.now() + seconds * 1000
      entries.set(key, { value: Math.max(value, held), until: Math.max(end, until) })
    },
  }
}
