/** Returns the longest word of a link, which is its token. */
export function tokenIn({ pathname, search }: URL): string | undefined {
  const [longest] = `${pathname}${search}`.split(/[^\w.~-]+/).toSorted((a, b) => b.length - a.length)
  return longest
}
