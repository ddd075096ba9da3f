/** Makes a value when it is first asked for, and keeps it: modules then do nothing on import. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
