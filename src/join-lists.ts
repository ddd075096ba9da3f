/** Joins two lists. Copies nothing if one is empty, as in most requests. */
export function joinLists<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  if (first.length === 0) return second
  return second.length === 0 ? first : [...first, ...second]
}
