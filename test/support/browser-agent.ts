import { CookieJar } from 'tough-cookie'

export interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly form?: Record<string, string> | URLSearchParams
  readonly json?: unknown
  /** A cross-site POST carries no SameSite=Lax cookie. */
  readonly crossSite?: boolean
}

/** A user agent: keeps cookies by RFC 6265bis, and follows nothing by itself. */
export interface Agent {
  readonly jar: CookieJar
  readonly send: (path: string, sent?: Sent) => Promise<Response>
  /** Names and values of the cookies it holds. */
  readonly cookies: () => Record<string, string>
  readonly set: (cookie: string) => void
  readonly forget: (name: string) => void
}

/** Opens a user agent on an origin, whose requests go to `handle`. */
export function openAgent(origin: string, handle: (request: Request) => Promise<Response>): Agent {
  const jar = new CookieJar(undefined, { prefixSecurity: 'strict', looseMode: true })
  const held = () => jar.getCookiesSync(origin)
  return {
    jar,
    async send(path, { method, headers = {}, form, json, crossSite } = {}) {
      const url = new URL(path, origin)
      const body = form
        ? new URLSearchParams(form).toString()
        : json === undefined
          ? undefined
          : JSON.stringify(json)
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
      const cookies = crossSite ? held().filter(({ sameSite }) => sameSite === 'none') : held()
      const cookie = cookies.map((each) => each.cookieString()).join('; ')
      const request = new Request(url, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body !== undefined && { 'content-type': type }),
          ...(cookie && { cookie }),
          ...headers,
        },
        body,
      })
      const response = await handle(request)
      for (const line of response.headers.getSetCookie())
        jar.setCookieSync(line, url.href, { ignoreError: true })
      return response
    },
    cookies: () => Object.fromEntries(held().map(({ key, value }) => [key, value])),
    set: (cookie) => void jar.setCookieSync(cookie, origin),
    forget(name) {
      const cookie = held().find(({ key }) => key === name)
      if (cookie) jar.setCookieSync(`${name}=; Max-Age=0; Path=/; Secure`, origin)
    },
  }
}
