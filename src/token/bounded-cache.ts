/** A map of limited size that evicts the least recently used entry. */
export interface BoundedCache<K, V> {
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => void
  readonly delete: (key: K) => void
}

interface Entry<V> {
  readonly value: V
  /** A number that grows with each use of the cache. */
  usedAt: number
}

/** Creates a cache of at most `capacity` entries, but at least one. */
export function createBoundedCache<K, V>(capacity: number): BoundedCache<K, V> {
  const entries = new Map<K, Entry<V>>()
  let uses = 0
  // Reads are far more frequent than evictions, so a read only numbers its entry, and an eviction finds the oldest.
  const evict = () => {
    let oldest: readonly [key: K, usedAt: number] | undefined
    for (const [key, { usedAt }] of entries) if (!oldest || usedAt < oldest[1]) oldest = [key, usedAt]
    if (oldest) entries.delete(oldest[0])
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entry.usedAt = ++uses
      return entry.value
    },
    set(key, value) {
      entries.set(key, { value, usedAt: ++uses })
      if (entries.size > Math.max(capacity, 1)) evict()
    },
    delete: (key) => void entries.delete(key),
  }
}
