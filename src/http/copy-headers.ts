/**
 * Creates Headers with these names and values. Nothing else refers to the new object, even if a server replaces
 * `Headers` and `Response` by classes that keep the object that they receive.
 */
export function copyHeaders(entries: Iterable<readonly [name: string, value: string]>): Headers {
  const copy = new Headers()
  for (const [name, value] of entries) copy.append(name, value)
  return copy
}
