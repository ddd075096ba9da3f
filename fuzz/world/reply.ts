import { Cookie } from 'tough-cookie'

/** A response with its body. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The absolute URL of a redirect. */
  readonly location: URL | undefined
  /** The cookies that it sets and clears. */
  readonly cookies: readonly Cookie[]
  /** The parsed body, or undefined if it is not JSON. */
  readonly json: unknown
  /** The handler's failure if it returned no response: an exception or a timeout. */
  readonly failure: string | undefined
}

/** @param url the URL of the request, which resolves a relative `Location` */
export async function readReply(response: Response, url: string, failure?: string): Promise<Reply> {
  const text = await response.text()
  const to = response.headers.get('location')
  return {
    status: response.status,
    headers: response.headers,
    text,
    location: to !== null && URL.canParse(to, url) ? new URL(to, url) : undefined,
    cookies: response.headers.getSetCookie().flatMap((line) => Cookie.parse(line, { loose: true }) ?? []),
    json: parse(text),
    failure,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether a cookie is deleted. */
export function isCleared(cookie: Cookie, now: number): boolean {
  const { maxAge, expires } = cookie
  return cookie.value === '' || maxAge === 0 || (expires instanceof Date && expires.getTime() <= now)
}

/** Returns a member of any value. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  )
}
