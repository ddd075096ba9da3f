import type { Settings } from '../config/settings.ts'
import { createBoundedCache } from '../crypto/bounded-cache.ts'
import { maxCookies, parseCookies } from '../cookies/parse-cookies.ts'
import type { MaybePromise } from '../crypto/maybe-promise.ts'
import { whenReady } from '../crypto/maybe-promise.ts'
import { isHost } from './host.ts'
import { countParts, maxCookieHeader, maxFields, maxUrl } from './limits.ts'
import type { Body } from './parse-body.ts'
import { emptyBody, parseBody } from './parse-body.ts'
import { parseRoute } from './parse-route.ts'
import type { Refused, Visit } from './visit.ts'

/**
 * Reads a request once: route, query, body, cookies. Answers at once for GET. Never throws for anything in a request.
 *
 * The origin is the canonical one, else that of the request's URL; forwarded headers are never looked at (HH-01), so
 * that who may be trusted with them stays with the server that makes the Request.
 */
export function parseVisit(request: Request, settings: Settings): MaybePromise<Visit | Refused> {
  const { method } = request
  if (method !== 'GET' && method !== 'POST') {
    return { refused: 'method', status: 405, allow: 'GET, POST', message: `${method} is not supported` }
  }
  // Only servers on node:http hand it on; what they make of it is in the URL already.
  if (!isHost(request.headers.get('host') ?? 'none')) {
    return { refused: 'bad-request', status: 400, message: 'The Host header is not host[:port]' }
  }
  const url = readAddress(request.url)
  if (url.pathname.length + url.search.length > maxUrl) {
    return { refused: 'bad-request', status: 400, message: `The URL is longer than ${maxUrl} characters` }
  }
  if (countParts(url.search, '&', maxFields) > maxFields) {
    return { refused: 'bad-request', status: 400, message: `The URL has more than ${maxFields} parameters` }
  }
  const cookieHeader = request.headers.get('cookie') ?? ''
  if (cookieHeader.length > maxCookieHeader) {
    const message = `The Cookie header is longer than ${maxCookieHeader} characters`
    return { refused: 'too-large', status: 431, message }
  }
  const cookies = parseCookies(cookieHeader)
  if (cookies.tooMany) {
    const message = `The Cookie header has more than ${maxCookies} cookies`
    return { refused: 'too-large', status: 431, message }
  }
  const route = parseRoute(url.pathname, settings.basePath)
  if (!route) return { refused: 'not-found', status: 404, message: `Cannot parse action at ${url.pathname}` }

  const origin = settings.canonicalOrigin ?? url.origin
  const secure = settings.useSecureCookies ?? origin.startsWith('https:')
  const visit = ({ members, duplicates }: Body): Visit =>
    Object.freeze({
      request,
      method,
      origin,
      base: `${origin}${settings.basePath}`,
      ...route,
      query: new URLSearchParams(url.search),
      body: members,
      duplicates,
      cookies,
      cookieTable: secure ? settings.cookies.secure : settings.cookies.plain,
      returnsRedirect: request.headers.has('x-auth-return-redirect') || asksForJson(members),
    })
  if (method === 'GET') return visit(emptyBody)
  return whenReady(parseBody(request), (body) => ('refused' in body ? body : visit(body)))
}

type Address = Pick<URL, 'origin' | 'pathname' | 'search'>

/** Addresses that were asked for before: sessions are asked for at the same one all the time. */
const addresses = createBoundedCache<string, Address>(100)

/** The parts of a request's URL. What has a query is not kept: there are secrets in it, and it does not come again. */
function readAddress(text: string): Address {
  const known = addresses.get(text)
  if (known) return known
  const { origin, pathname, search } = new URL(text)
  if (text.length <= 512 && !text.includes('?')) addresses.set(text, { origin, pathname, search })
  return { origin, pathname, search }
}

/** Clients of next-auth 4 ask by a member of the body. */
function asksForJson({ json }: Body['members']): boolean {
  return json === 'true' || json === true
}
