/**
 * The members of a Request that the library reads. A server on node:http provides them without a Request, which is
 * expensive to create.
 */
export interface RequestParts extends Pick<Request, 'method' | 'url' | 'body' | 'signal'> {
  readonly headers: Pick<Headers, 'get' | 'has'> & Iterable<[name: string, value: string]>
}

/** The members of a Response that the library sets. */
export interface ResponseParts {
  readonly status: number
  /** Without cookies, because there can be several. */
  readonly headers: Readonly<Record<string, string>>
  /** The values of Set-Cookie. */
  readonly cookies: readonly string[]
  readonly body: string | Response['body']
}

/**
 * Returns whether a value is a Response of any class. Servers and test tools replace the global class, so `instanceof`
 * cannot be used.
 */
export function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value
  )
}

/**
 * Creates Headers with these names and values. Nothing else refers to the new object, even if a server replaces
 * `Headers` and `Response` with classes that keep the object that they receive.
 */
export function copyHeaders(entries: Iterable<readonly [name: string, value: string]>): Headers {
  const copy = new Headers()
  for (const [name, value] of entries) copy.append(name, value)
  return copy
}
