import type { Settings } from '../config/settings.ts'
import type { Feature, FeatureRoute } from '../types/feature.ts'
import { maxCookies, parseCookies, type RequestCookies } from '../cookies/parse-cookies.ts'
import { isHost } from '../text/host.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import { type AuthAction, optionalActions, optionalRouteOf, routes } from '../routes.ts'
import { countParts, maxCookieHeader, maxFields, maxUrl } from './limits.ts'
import type { RequestParts } from './parts.ts'
import { type Body, discardBody, emptyBody, parseBody } from './parse-body.ts'
import type { Refused, Visit } from './visit.ts'

export interface Route {
  /** An action of the library or of a feature. */
  readonly action: string
  readonly providerId?: string
}

const withProvider: ReadonlySet<AuthAction> = new Set([
  ...routes.flatMap(({ action, kinds }) => (kinds.some((kind) => kind !== 'none') ? [action] : [])),
  ...optionalActions.filter((action) => optionalRouteOf(action).takesProvider),
])

/** The actions, and whether a provider id may follow. */
const known: ReadonlyMap<string, { readonly action: AuthAction; readonly takesProvider: boolean }> = new Map(
  [...routes.map(({ action }) => action), ...optionalActions].map((action) => [
    action,
    { action, takesProvider: withProvider.has(action) },
  ]),
)

/** Returns the feature that has a route for the action, or undefined. */
export function findFeature(features: readonly Feature[], action: string): Feature | undefined {
  return features.find(({ routes: own = {} }) => Object.hasOwn(own, action))
}

/** Returns the route of a feature at a path, or undefined. A provider in the path must be one of its providers. */
export function findFeatureRoute(
  feature: Feature | undefined,
  { action, providerId }: Route,
): FeatureRoute | undefined {
  const route = feature?.routes?.[action]
  const isFound =
    providerId === undefined ? route?.providers === undefined : route?.providers?.includes(providerId)
  return isFound ? route : undefined
}

/** Returns the path of a route below the base path. */
export function pathOfRoute({ action, providerId }: Pick<Visit, 'action' | 'providerId'>): string {
  return providerId === undefined ? action : `${action}/${providerId}`
}

/**
 * Parses `<base path>/<action>` or `<base path>/<action>/<provider id>`, with an optional trailing slash (decision 31).
 * Compares the path as it was sent, without decoding it, so that proxies and path rules see the same route as the
 * library. Does not check whether the provider exists.
 *
 * @param basePath without a trailing slash: `/auth`, or the empty string
 * @param features of the site
 */
export function parseRoute(
  pathname: string,
  basePath: string,
  features: readonly Feature[] = [],
): Route | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const [segment = '', providerId, ...more] = pathname
    .slice(basePath.length + 1)
    .replace(/\/$/, '')
    .split('/', 3)
  const found = known.get(segment) ?? findFeatureAction(features, segment)
  if (!found || more.length > 0) return undefined
  if (providerId === undefined) return { action: found.action }
  return found.takesProvider && providerId !== '' ? { action: found.action, providerId } : undefined
}

function findFeatureAction(features: readonly Feature[], action: string) {
  const route = findFeature(features, action)?.routes?.[action]
  return route && { action, takesProvider: route.providers !== undefined }
}

/**
 * Parses a request once: route, query, body and cookies. Synchronous for GET. Never throws because of the request.
 *
 * The origin is the canonical origin, or else that of the request's URL. Forwarded headers are ignored (HH-01): the
 * server that creates the Request decides which headers to trust.
 */
export function parseVisit(request: RequestParts, settings: Settings): MaybePromise<Visit | Refused> {
  const parsed = parse(request, settings)
  if (!('refused' in parsed) || !request.body) return parsed
  return discardBody(request, settings.platform).then(() => parsed)
}

function parse(request: RequestParts, settings: Settings): MaybePromise<Visit | Refused> {
  const { method } = request
  if (method !== 'GET' && method !== 'POST') {
    return { refused: 'method', status: 405, allow: 'GET, POST', message: `${method} is not supported` }
  }
  // Only servers based on node:http pass this header on. They have used it for the URL already.
  const host = request.headers.get('host')
  if (host !== null && !isHost(host)) {
    return { refused: 'bad-request', status: 400, message: 'The Host header is not host[:port]' }
  }
  const { origin, pathname, search } = new URL(request.url)
  if (pathname.length + search.length > maxUrl) {
    return { refused: 'bad-request', status: 400, message: `The URL is longer than ${maxUrl} characters` }
  }
  if (countParts(search, '&', maxFields) > maxFields) {
    return { refused: 'bad-request', status: 400, message: `The URL has more than ${maxFields} parameters` }
  }
  const cookies = readCookies(request)
  if ('refused' in cookies) return cookies
  const route = parseRoute(pathname, settings.basePath, settings.features)
  if (!route) return { refused: 'not-found', status: 404, message: `Cannot parse action at ${pathname}` }

  const visit = ({ members, duplicates }: Body): Visit => ({
    request,
    method,
    ...placeOf(origin, settings),
    action: route.action,
    providerId: route.providerId,
    query: new URLSearchParams(search),
    body: members,
    duplicates,
    cookies,
    returnsRedirect: request.headers.has('x-auth-return-redirect') || asksForJson(members),
    sendsCookies: true,
    returnsValue: false,
  })
  if (method === 'GET') return visit(emptyBody)
  return whenReady(parseBody(request, settings.platform), (body) => ('refused' in body ? body : visit(body)))
}

/**
 * Creates the visit with which the session flow reads the session of any request to the application. Ignores path,
 * method and body, which are the application's.
 */
export function visitSession(
  request: RequestParts,
  settings: Settings,
  sendsCookies: boolean,
): Visit | Refused {
  const cookies = readCookies(request)
  if ('refused' in cookies) return cookies
  return {
    request,
    method: 'GET',
    ...placeOf(new URL(request.url).origin, settings),
    action: 'session',
    providerId: undefined,
    query: new URLSearchParams(),
    body: emptyBody.members,
    duplicates: emptyBody.duplicates,
    cookies,
    returnsRedirect: false,
    sendsCookies,
    returnsValue: true,
  }
}

function readCookies(request: RequestParts): RequestCookies | Refused {
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
  return cookies
}

/** The parts of a visit that depend on its origin and the settings only. */
type Place = Pick<Visit, 'origin' | 'base' | 'cookieTable'>

function placeOf(requested: string, settings: Settings): Place {
  const origin = settings.canonicalOrigin ?? requested
  const secure = settings.useSecureCookies ?? origin.startsWith('https:')
  const cookieTable = secure ? settings.cookies.secure : settings.cookies.plain
  return { origin, base: `${origin}${settings.basePath}`, cookieTable }
}

/** Clients of next-auth 4 use a member of the body instead of the header. */
function asksForJson({ json }: Body['members']): boolean {
  return json === 'true' || json === true
}
