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
