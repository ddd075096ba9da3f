/**
 * The members of a Request that the library reads. A server on node:http provides them without a Request, which takes
 * longer to create than a session takes to read from a store.
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

/** For a request without a valid URL. */
export const badRequest: ResponseParts = { status: 400, headers: {}, cookies: [], body: null }

export function toResponse({ status, headers, cookies, body }: ResponseParts): Response {
  const response = new Response(body, { status, headers })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export function toParts({ status, headers, body }: Response): ResponseParts {
  const { 'set-cookie': _, ...others } = Object.fromEntries(headers)
  return { status, headers: others, cookies: headers.getSetCookie(), body }
}

/** Lists names and values in the order of a Headers object. */
export function listHeaders({ headers, cookies }: ResponseParts): [name: string, value: string][] {
  const lines = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  for (const cookie of cookies) lines.push(['set-cookie', cookie])
  return lines.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
}
