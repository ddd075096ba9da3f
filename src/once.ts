/** Creates a value on first use and keeps it, so that importing a module has no side effects. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
