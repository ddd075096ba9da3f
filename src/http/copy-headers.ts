/**
 * Creates Headers with these names and values. Nothing else refers to them, even where servers replace `Headers` and
 * `Response` by classes that keep the object they are given.
 */
export function copyHeaders(entries: Iterable<readonly [name: string, value: string]>): Headers {
  const copy = new Headers()
  for (const [name, value] of entries) copy.append(name, value)
  return copy
}
