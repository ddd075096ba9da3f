import { copyOfError } from '../../copies/copy-handed-out.ts'
import { type Outcome, readOutcome } from '../../client/outcome.ts'
import type { Query } from '../../client/routes.ts'
import type { SignInOptions, SignOutOptions } from '../../client/sign-in.ts'
import { InvalidProvider, MissingCSRF } from '../../errors/classes.ts'
import type { OwnAuth } from '../../handler/direct-auth.ts'
import { locateError } from '../../handler/error-location.ts'
import { copyHeaders, type RequestParts, type ResponseParts } from '../../http/parts.ts'
import { once } from '../../async/once.ts'
import type { Session } from '../../types/records.ts'
import { locateSignIn } from '../locate-sign-in.ts'
import { type NextRequestParts, readRequest, setCookies } from './request.ts'

const loadNavigation = once(() => import('next/navigation'))

/** Starts a sign-in. Without a provider, redirects to the sign-in page. */
export async function signIn(
  auth: OwnAuth,
  id: string | undefined,
  given: SignInOptions | FormData,
  params: Query = '',
): Promise<Outcome> {
  const current = await readRequest()
  const { redirectTo, redirect = true, ...fields } = readOptions(given)
  const callbackUrl = redirectTo ?? currentPage(current)
  if (id === undefined) {
    const url = `${auth.settings().basePath}/signin?${new URLSearchParams({ callbackUrl })}`
    return leave({ ok: true, url }, redirect)
  }
  const query = new URLSearchParams(params).toString()
  const route = routeOf(auth, id, fields) + (query && `?${query}`)
  return leave(await submit(auth, current, route, { ...fields, callbackUrl }), redirect)
}

/** Ends the session. */
export async function signOut(
  auth: OwnAuth,
  { redirectTo, redirect = true }: SignOutOptions,
): Promise<Outcome> {
  const current = await readRequest()
  const fields = { callbackUrl: redirectTo ?? currentPage(current) }
  return leave(await submit(auth, current, 'signout', fields), redirect)
}

/** Passes data to the callbacks. @returns the new session */
export async function update(auth: OwnAuth, data: unknown): Promise<Session | null> {
  const { status, body } = await post(auth, await readRequest(), 'session', (csrfToken) => ({
    type: 'application/json',
    text: JSON.stringify({ csrfToken, data }),
  }))
  if (status !== 200) throw new Error(`The session was not updated: the route returned status ${status}`)
  return readJson(body) as Session | null
}

type Fields = Readonly<Record<string, string>>

/** Returns the fields of a form or an object. Next adds more fields to the forms of server actions. */
function readOptions(given: SignInOptions | FormData) {
  if (!(given instanceof FormData)) {
    const { redirectTo, redirect, ...others } = given
    const set = Object.entries(others).filter(([, value]) => value !== undefined)
    return { ...Object.fromEntries(set.map(([name, value]) => [name, String(value)])), redirectTo, redirect }
  }
  const texts = [...given].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !entry[0].startsWith('$ACTION_'),
  )
  const { redirectTo, redirect: _, ...fields } = Object.fromEntries(texts)
  return { ...fields, redirectTo, redirect: true }
}

/** Returns the page from which the request came. The routes check it like any other callback URL. */
function currentPage({ request }: NextRequestParts): string {
  return request.headers.get('referer') ?? '/'
}

/** @throws InvalidProvider if no provider has this id; TypeError for passkeys, which need the browser */
function routeOf(auth: OwnAuth, id: string, fields: Fields): string {
  const provider = auth.settings().providers.get(id)
  if (!provider) throw new InvalidProvider(`There is no provider with the id "${id}"`)
  if (provider.kind === 'webauthn')
    throw new TypeError(
      'Passkeys need the browser. Use `signInWithPasskey` of `authmachine/client` or `authmachine/react`',
    )
  return locateSignIn(provider, fields)
}

/** Posts a form to a route. */
async function submit(
  auth: OwnAuth,
  current: NextRequestParts,
  route: string,
  fields: Fields,
): Promise<Outcome> {
  const { status, body } = await post(auth, current, route, (csrfToken) => ({
    type: 'application/x-www-form-urlencoded',
    text: new URLSearchParams({ ...fields, csrfToken }).toString(),
  }))
  const { url, ok } = (readJson(body) ?? {}) as { readonly url?: string; readonly ok?: boolean }
  if (url === undefined) throw new Error(`${route} returned status ${status} without a URL`)
  return readOutcome({ url, ok: ok !== false }, current.request.url)
}

interface Written {
  readonly type: string
  readonly text: string
}

/**
 * Posts to a route as a page would, with the CSRF token of the browser, and passes on the cookies of the response. With
 * or without the CSRF check, it refuses requests that another site started. The routes cannot recognise such a request,
 * because this function fetches the token itself.
 */
async function post(
  auth: OwnAuth,
  { request, cookies }: NextRequestParts,
  route: string,
  write: (csrfToken: string) => Written,
): Promise<ResponseParts> {
  if (isFromOtherSite(request)) return refuse(auth, request)
  const { basePath } = auth.settings()
  const at = (path: string) => new URL(`${basePath}/${path}`, request.url).href
  const headers = copyHeaders(request.headers)
  const csrfToken = await takeToken(auth, at('csrf'), headers, request, cookies)
  const { type, text } = write(csrfToken)
  headers.set('content-type', type)
  headers.set('x-auth-return-redirect', '1')
  const { body } = new Response(text)
  const answer = await auth.answer({ ...request, method: 'POST', url: at(route), headers, body })
  setCookies(cookies, answer.cookies)
  return answer
}

/**
 * Returns whether another site started the request. Next checks the origin of server actions only. Without this check,
 * a link to a route handler could sign users out, or sign them in as someone else.
 */
function isFromOtherSite({ headers }: RequestParts): boolean {
  return !['same-origin', 'none', null].includes(headers.get('sec-fetch-site'))
}

/** Refuses a request as the routes refuse a form without a CSRF token. */
function refuse(auth: OwnAuth, { url }: RequestParts): ResponseParts {
  const settings = auth.settings()
  // Without a fault, the host is trusted.
  if (settings.fault) throw copyOfError(settings.fault)
  const origin = settings.canonicalOrigin ?? new URL(url).origin
  const error = new MissingCSRF('Another site started the request')
  settings.logger.error(error)
  const page = locateError(error, { origin, base: origin + settings.basePath }, settings)
  return { status: 400, headers: {}, cookies: [], body: JSON.stringify({ url: page, ok: false }) }
}

/** Returns the CSRF token of the browser. A new token is added to the browser's cookies, and to the headers. */
async function takeToken(
  auth: OwnAuth,
  url: string,
  headers: Headers,
  request: RequestParts,
  cookies: NextRequestParts['cookies'],
): Promise<string> {
  const minted = await auth.answer({ ...request, url, headers })
  // Without the CSRF check, there is no such route.
  if (minted.status !== 200) return ''
  setCookies(cookies, minted.cookies)
  const held = [...minted.cookies.map((line) => line.split(';')[0]), headers.get('cookie')]
  headers.set('cookie', held.filter(Boolean).join('; '))
  return (readJson(minted.body) as { readonly csrfToken: string }).csrfToken
}

/** Parses the body of a response, which the routes write as a string. */
function readJson(body: ResponseParts['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : null
}

/** Redirects, unless the caller handles the outcome. Next's `redirect` throws. */
async function leave(outcome: Outcome, redirect: boolean): Promise<Outcome> {
  if (redirect) (await loadNavigation()).redirect(outcome.url)
  return outcome
}
