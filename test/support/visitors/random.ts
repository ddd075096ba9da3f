/** Random choices that a seed repeats. */
export interface Random {
  /** Returns a whole number from 0 up to, but not including, the limit. */
  readonly below: (limit: number) => number
  readonly shuffle: <Item>(items: readonly Item[]) => Item[]
}

/** Creates the choices of a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  return {
    below,
    shuffle(items) {
      const drawn = items.map((item) => ({ item, order: below(0x7fffffff) }))
      return drawn.toSorted((one, other) => one.order - other.order).map(({ item }) => item)
    },
  }
}
