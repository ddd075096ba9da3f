import { CookieJar } from 'tough-cookie'

/** Sends the browser's request, and stores the cookies from the response. */
export type Exchange = () => Promise<Response>

/** Returns a function that every request from a browser passes through. */
export type Recorder = (
  readCookies: () => Readonly<Record<string, string>>,
) => (request: Request, exchange: Exchange) => Promise<Response>

/** `journeys/record.ts` sets a recorder on runtimes with Node's async hooks. Elsewhere, nothing is recorded. */
const recorders: { current: Recorder } = { current: () => (_, exchange) => exchange() }

export function setRecorder(recorder: Recorder): void {
  recorders.current = recorder
}

export interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly form?: Record<string, string> | URLSearchParams
  readonly json?: unknown
  /** Sends only SameSite=None cookies, as a cross-site POST does. */
  readonly crossSite?: boolean
}

/** A user agent: stores cookies according to RFC 6265bis, and does not follow redirects. */
export interface Agent {
  readonly jar: CookieJar
  readonly send: (path: string, sent?: Sent) => Promise<Response>
  /** Names and values of its cookies. */
  readonly cookies: () => Record<string, string>
  readonly set: (cookie: string) => void
  readonly forget: (name: string) => void
}

/** Creates a user agent for an origin. `handle` receives its requests. */
export function openAgent(origin: string, handle: (request: Request) => Promise<Response>): Agent {
  const jar = new CookieJar(undefined, { prefixSecurity: 'strict', looseMode: true })
  const held = () => jar.getCookiesSync(new URL('/auth/', origin).href)
  const cookies = () => Object.fromEntries(held().map(({ key, value }) => [key, value]))
  const record = recorders.current(cookies)
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
      const fitting = jar.getCookiesSync(url.href)
      const sent = crossSite ? fitting.filter(({ sameSite }) => sameSite === 'none') : fitting
      const cookie = sent.map((each) => each.cookieString()).join('; ')
      const request = new Request(url, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body !== undefined && { 'content-type': type }),
          ...(cookie && { cookie }),
          ...headers,
        },
        body,
      })
      const exchange = async () => {
        const response = await handle(request)
        for (const line of response.headers.getSetCookie())
          jar.setCookieSync(line, url.href, { ignoreError: true })
        return response
      }
      // The test sends its own cookies instead of this browser's, so the request is not recorded.
      return 'cookie' in headers ? exchange() : record(request, exchange)
    },
    cookies,
    set: (cookie) => void jar.setCookieSync(cookie, origin),
    forget(name) {
      const cookie = held().find(({ key }) => key === name)
      if (cookie) jar.setCookieSync(`${name}=; Max-Age=0; Path=/; Secure`, origin)
    },
  }
}
