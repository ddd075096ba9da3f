/** Parameters of a URL, in any form that URLSearchParams takes from an object or a string. */
export type Query = string | URLSearchParams | Readonly<Record<string, string>>

/** What a form sends: its fields, and where to go to then. */
export type Fields = Readonly<Record<string, string>> & { readonly callbackUrl: string }

/** The routes under one base path, as a browser asks them. */
export interface Routes {
  /** The path of a route. */
  readonly at: (route: string, query?: Query) => string
  /** What a GET answers. @throws Error when that is no success */
  readonly read: (route: string, query?: Query) => Promise<unknown>
  /** Posts a form with the CSRF token. @returns where it leads @throws Error when it leads nowhere */
  readonly submit: (route: string, fields: Fields, query?: Query) => Promise<string>
  /** Posts an object with the CSRF token. @returns what the route answers @throws Error when that is no success */
  readonly send: (route: string, members: Readonly<Record<string, unknown>>) => Promise<unknown>
  /** The CSRF token of this browser; none where the server does not check one. */
  readonly csrfToken: () => Promise<string | undefined>
}

/** @param basePath a slash at its end adds nothing */
export function openRoutes(basePath: string): Routes {
  const base = basePath.replace(/\/+$/, '')
  const at = (route: string, query: Query = '') => {
    const search = new URLSearchParams(query).toString()
    return `${base}/${route}${search && `?${search}`}`
  }

  async function ask(path: string, init?: RequestInit): Promise<unknown> {
    const response = await fetch(path, init)
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  }

  async function csrfToken(): Promise<string | undefined> {
    const path = at('csrf')
    const response = await fetch(path)
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
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
      const answer = (await ask(at(route, query), { method: 'POST', headers, body })) as {
        readonly url: string
      }
      return answer.url
    },
    async send(route, members) {
      const body = JSON.stringify({ ...members, csrfToken: await csrfToken() })
      return ask(at(route), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    },
  }
}
