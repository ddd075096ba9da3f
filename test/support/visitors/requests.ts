import type { Sent } from './exchange.ts'
import type { Visitor } from './visitor.ts'

/** A site that visitors use. */
export interface Site {
  readonly origin: string
  readonly basePath: string
  /** Its own pages and endpoints. */
  readonly pages: readonly string[]
  /** The route of a gate that holds every sign-in until its form is sent. */
  readonly gate?: string | undefined
  /** Field values that sign a user in with any name. */
  readonly pin: string
  /** Headers of its proxy. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A kind of request. */
export interface Kind {
  readonly name: string
  /** Whether the visitor first gets a CSRF token. */
  readonly needsToken?: boolean
  /** Whether the response must sign the visitor in, or that of `passes` if there is one. */
  readonly signsIn?: boolean
  /** The request with which a gate lets the sign-in pass. Both are sent by another browser of the visitor. */
  readonly passes?: Kind
  /** Whether the response may name the signed-in user. */
  readonly showsUser?: boolean
  /** Whether the anonymous visitor sends it first and last, without cookies. */
  readonly isPlain?: boolean
  readonly create: (visitor: Visitor, mark: string) => Sent
}

type Body = Readonly<Record<string, string>>

/** Lists every kind of request to a site: all routes, right and wrong, as form and as JSON, and the site's own pages. */
export function listKinds({ origin, basePath, pages, gate, pin, headers: extra }: Site): readonly Kind[] {
  const sent = (method: string, path: string, mark: string, headers: Body = {}, body?: string): Sent => ({
    method,
    path,
    headers: { 'x-request-id': mark, ...(method !== 'GET' && { origin }), ...extra, ...headers },
    ...(body !== undefined && { body }),
  })
  const get = (path: (mark: string) => string, name = path('…')): Kind => ({
    name: `GET ${name}`,
    isPlain: true,
    create: (_, mark) => sent('GET', path(mark), mark, { accept: 'text/html' }),
  })
  const route = (name: string, query: (mark: string) => string = () => '') =>
    get((mark) => `${basePath}${name}${query(mark)}`, name + query('…'))
  /** The same request as a form, as JSON, and from a script that reads the redirect. */
  const post = (
    name: string,
    what: string,
    fields: (visitor: Visitor, mark: string) => Body,
    more: Partial<Kind>,
  ) =>
    (['form', 'json', 'script'] as const).map((format): Kind => ({
      name: `POST ${name} ${what} as ${format}`,
      ...more,
      create(visitor, mark) {
        const all = { callbackUrl: `${origin}/?from=${mark}`, ...fields(visitor, mark) }
        const isForm = format === 'form'
        const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
        const body = isForm ? new URLSearchParams(all).toString() : JSON.stringify(all)
        const script: Body = format === 'script' ? { 'x-auth-return-redirect': '1' } : {}
        return sent('POST', `${basePath}${name}`, mark, { 'content-type': type, ...script }, body)
      },
    }))
  const token = (visitor: Visitor) => ({ csrfToken: visitor.csrfToken() ?? '' })
  const callback = '/callback/credentials'
  const [passes] =
    gate === undefined ? [] : post(gate, 'with the token', (visitor) => token(visitor), { signsIn: true })
  const other = (method: string, name: string): Kind => ({
    name: `${method} ${name}`,
    create: (_, mark) => sent(method, `${basePath}${name}`, mark),
  })
  return [
    { ...route('/session'), showsUser: true },
    route('/csrf'),
    route('/providers'),
    route('/signin'),
    route('/signin', (mark) => `?callbackUrl=/?from=${mark}`),
    route('/signin', (mark) => `?error=CredentialsSignin&code=${mark}`),
    route('/signout'),
    route('/error', (mark) => `?error=${mark}`),
    route('/verify-request'),
    route('/callback/demo', (mark) => `?code=${mark}&state=${mark}`),
    route('/callback/demo', (mark) => `?error=access_denied&error_description=${mark}`),
    route('/nowhere', (mark) => `?from=${mark}`),
    get((mark) => `/nowhere/at/all?from=${mark}`),
    ...(gate === undefined ? [] : [route(gate)]),
    ...pages.map((page) => ({ ...get((mark) => `${page}?from=${mark}`), showsUser: true })),
    other('HEAD', '/session'),
    other('PUT', '/session'),
    other('DELETE', '/csrf'),
    ...post('/signin/demo', 'with the token', (visitor) => token(visitor), { needsToken: true }),
    ...post(
      '/signin/mail',
      'with an address',
      (visitor, mark) => ({ ...token(visitor), email: `${mark}@example.com` }),
      { needsToken: true },
    ),
    ...post(callback, 'with the PIN', (visitor, name) => ({ ...token(visitor), name, pin }), {
      needsToken: true,
      signsIn: true,
      ...(passes && { passes }),
    }),
    ...post(callback, 'with a wrong PIN', (visitor, mark) => ({ ...token(visitor), name: mark, pin: mark }), {
      needsToken: true,
    }),
    ...post(callback, 'without the token', (_, name) => ({ name, pin }), {}),
    ...post('/signout', 'with the token', (visitor) => token(visitor), { needsToken: true }),
    ...post('/signout', 'with a wrong token', (_, csrfToken) => ({ csrfToken }), {}),
  ]
}
