import { CookieJar } from 'tough-cookie'

/** The last page of a visit, after all redirects. */
export interface Visited {
  readonly url: string
  readonly status: number
  readonly text: string
}

/** A browser without a window. It stores cookies, follows redirects, and posts forms. */
export interface Visitor {
  readonly open: (url: string) => Promise<Visited>
  readonly post: (url: string, form: Readonly<Record<string, string>>) => Promise<Visited>
  readonly readJson: (url: string) => Promise<unknown>
  /** Sends one request, and does not follow its redirect. */
  readonly send: (url: string, init?: RequestInit) => Promise<Response>
  readonly jar: CookieJar
}

const maxRedirects = 10

export function createVisitor(signal?: AbortSignal): Visitor {
  const jar = new CookieJar()

  const send = async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('Cookie', await jar.getCookieString(url))
    const response = await fetch(url, { ...init, headers, redirect: 'manual', signal })
    for (const cookie of response.headers.getSetCookie()) await jar.setCookie(cookie, url)
    return response
  }

  const follow = async (url: string, init: RequestInit): Promise<Visited> => {
    let [at, response] = [url, await send(url, init)]
    for (let n = 0; n < maxRedirects; n++) {
      const location = response.headers.get('Location')
      const text = await response.text()
      if (location === null) return { url: at, status: response.status, text }
      at = new URL(location, at).href
      response = await send(at, {})
    }
    throw new Error(`${url} redirects more than ${maxRedirects} times`)
  }

  return {
    jar,
    send,
    open: (url) => follow(url, {}),
    post: (url, form) => follow(url, { method: 'POST', body: new URLSearchParams(form) }),
    readJson: async (url) => JSON.parse((await follow(url, {})).text) as unknown,
  }
}
