/** Parameters of a URL, as an object or a string that URLSearchParams accepts. */
export type Query = string | URLSearchParams | Readonly<Record<string, string>>

/** The fields of a form, and where to go afterwards. */
export type Fields = Readonly<Record<string, string>> & { readonly callbackUrl: string }

/** The destination of a redirect. */
export interface Destination {
  readonly url: string
  /** False if the URL is that of a page that shows an error. */
  readonly ok: boolean
}

/** The routes under a base path, for use in a browser. */
export interface Routes {
  /** Returns the path of a route. */
  readonly at: (route: string, query?: Query) => string
  /** Sends a GET request and returns the parsed body. @throws Error if the status is not 2xx */
  readonly read: (route: string, query?: Query) => Promise<unknown>
  /** Posts a form with the CSRF token. @throws Error if the response has no http or https URL */
  readonly submit: (route: string, fields: Fields, query?: Query) => Promise<Destination>
  /** Posts an object with the CSRF token. @returns the parsed body @throws Error if the status is not 2xx */
  readonly send: (route: string, members: Readonly<Record<string, unknown>>) => Promise<unknown>
  /** Returns the CSRF token of this browser, or undefined if the server does not check one. */
  readonly csrfToken: () => Promise<string | undefined>
}

/** @param basePath with or without a trailing slash */
export function openRoutes(basePath: string): Routes {
  const base = basePath.replace(/\/+$/, '')
  const at = (route: string, query: Query = '') => {
    const search = new URLSearchParams(query).toString()
    return `${base}/${route}${search && `?${search}`}`
  }

  async function ask(path: string, init?: RequestInit, accepted?: number): Promise<unknown> {
    const response = await fetch(path, init)
    if (!response.ok && response.status !== accepted)
      throw new Error(`${path} returned status ${response.status}`)
    return response.json()
  }

  async function csrfToken(): Promise<string | undefined> {
    const path = at('csrf')
    const response = await fetch(path)
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
    return ((await response.json()) as { readonly csrfToken: string }).csrfToken
  }

  return {
    at,
    csrfToken,
    read: (route, query) => ask(at(route, query)),
    async submit(route, fields, query) {
      const body = new URLSearchParams({ ...fields })
      body.set('csrfToken', (await csrfToken()) ?? '')
      const headers = { 'X-Auth-Return-Redirect': '1' }
      const path = at(route, query)
      // Over the rate limit, the response has the URL of the error page, too.
      return readDestination(path, await ask(path, { method: 'POST', headers, body }, 429))
    },
    async send(route, members) {
      const body = JSON.stringify({ ...members, csrfToken: await csrfToken() })
      return ask(at(route), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    },
  }
}

/** Reads the URL of a response. Navigating to one of another scheme could run a script. */
function readDestination(path: string, answer: unknown): Destination {
  const { url, ok } = (answer ?? {}) as { readonly url?: unknown; readonly ok?: unknown }
  const isLocation = typeof url === 'string' && URL.canParse(url, location.href)
  if (isLocation && /^https?:$/.test(new URL(url, location.href).protocol)) return { url, ok: ok !== false }
  throw new Error(`${path} returned no http or https URL`)
}
