import { Cookie } from 'tough-cookie'

/** A response that was read to its end. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where a redirect leads, made absolute. */
  readonly location: URL | undefined
  /** The cookies it sets and clears. */
  readonly cookies: readonly Cookie[]
  /** The body, or undefined when it isn't JSON. */
  readonly json: unknown
  /** How the handler failed, when it answered with no response: threw, or gave none for long. */
  readonly failure: string | undefined
}

/** @param url of the request, against which a Location is read */
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

/** Does the cookie take itself away? */
export function isCleared(cookie: Cookie, now: number): boolean {
  const { maxAge, expires } = cookie
  return cookie.value === '' || maxAge === 0 || (expires instanceof Date && expires.getTime() <= now)
}

/** A member of what may be anything. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  )
}
