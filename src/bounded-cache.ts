/** A map of limited size that evicts the least recently used entry. */
export interface BoundedCache<K, V> {
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => void
  readonly delete: (key: K) => void
}

/** Creates a cache of at most `capacity` entries, but at least one. */
export function createBoundedCache<K, V>(capacity: number): BoundedCache<K, V> {
  const entries = new Map<K, V>()
  let newest: K | undefined
  // A Map keeps insertion order, so a used entry moves to the end.
  const keep = (key: K, value: V) => {
    entries.delete(key)
    entries.set(key, value)
    newest = key
  }
  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined && key !== newest) keep(key, value)
      return value
    },
    set(key, value) {
      keep(key, value)
      if (entries.size <= capacity) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
    delete: (key) => void entries.delete(key),
  }
}
