/** The revocations of an application, by key: what it revokes, and until when in milliseconds since 1970. */
export type Entries = Map<string, { readonly value: number; readonly expires: number }>

interface RevocationStore {
  readonly find: (keys: readonly string[]) => (number | null)[]
  readonly add: (key: string, value: number, seconds: number) => void
}

/** Opens a list of revoked sessions that a search can read, keep and replace. */
export function openRevocations(): Entries & { readonly store: RevocationStore } {
  const entries: Entries = new Map()
  const store: RevocationStore = {
    find: (keys) => keys.map((key) => entries.get(key)?.value ?? null),
    add(key, value, seconds) {
      const held = entries.get(key)
      entries.set(key, {
        value: Math.max(value, held?.value ?? value),
        expires: Math.max(Date.now() + seconds * 1000, held?.expires ?? 0),
      })
    },
  }
  return Object.assign(entries, { store })
}
