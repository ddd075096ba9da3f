import { copyOfError } from '../copies/copy-handed-out.ts'
import type { Settings } from '../config/settings.ts'
import { type AuthError, ErrorPageLoop, InvalidProvider, UnknownAction } from '../errors/classes.ts'
import type { Result } from '../flows/engine/result.ts'
import type { Route } from '../flows/flows.ts'
import { errorPage, explainToDeveloper } from '../flows/pages.ts'
import { withParameter } from '../flows/shared/endings.ts'
import { parseCallbackUrl } from '../http/callback-url.ts'
import { knownOrigin, pathOf } from '../http/known-origin.ts'
import { findFeature, parseRoute } from '../http/parse-visit.ts'
import type { RequestParts } from '../http/parts.ts'
import type { Refused, Visit } from '../http/visit.ts'
import { isOptionalAction, optionalRouteOf } from '../routes.ts'
import { locateError } from './error-location.ts'

/**
 * Responds to a request that matches no route or is malformed: 404 with the error page, other statuses with a short
 * JSON message.
 */
export function respondRefused(refused: Refused, request: RequestParts, settings: Settings): Result {
  const { status, message, allow } = refused
  const logs = new UnknownAction(message)
  // The base path may be misconfigured. Then clients do not find any route.
  if (status === 404 && settings.fault) return respondMisconfigured(copyOfError(settings.fault))
  if (status === 404) {
    // Without a fault the host is trusted.
    const origin = settings.canonicalOrigin ?? new URL(request.url).origin
    const page = {
      ...errorPage({ origin, base: `${origin}${settings.basePath}` }),
      isMissing: true,
      explanation: explainToDeveloper(logs.type, settings),
    }
    return { status, private: true, page, logs }
  }
  const body = JSON.stringify(status === 400 ? 'Bad request.' : message)
  const headers = { 'Content-Type': 'application/json', ...(allow && { Allow: allow }) }
  // The fault may be in a header, and a cache would send this response to other clients (CPDoS).
  return { status, headers, body, private: true, logs }
}

/**
 * Responds to an unknown provider with 404. In raw mode, a server action chose the provider and expects the URL of the
 * error page (decision 46).
 */
export function respondUnknownProvider(visit: Visit, settings: Settings): Result {
  if (!settings.raw) return respondUnrouted(visit, [], settings)
  const known = [...settings.providers.keys()].join(', ') || 'none'
  const error = new InvalidProvider(
    `There is no provider "${visit.providerId}". The configured providers are: ${known}`,
  )
  const location = locateError(error, visit, settings)
  return { status: 302, location, logs: error }
}

/** Responds to a path without a route (404), or without a route for this method (405). */
export function respondUnrouted(
  visit: Visit,
  candidates: readonly Pick<Route, 'method'>[],
  settings: Settings,
): Result {
  const methods = [...new Set(candidates.map(({ method }) => method))]
  const option = methods.length === 0 ? optionalRouteOf(visit.action).option : undefined
  const fix = option && `The option \`${option}\` turns this route on`
  const text = `Cannot handle action: ${visit.method} ${visit.action}`
  const logs = new UnknownAction(fix ? `${text}. ${fix}` : text)
  const general = explainToDeveloper(logs.type, settings)
  const explanation = general && { ...general, ...(fix && { fix: `${fix}.` }) }
  const page = { ...errorPage(visit), explanation }
  if (methods.length === 0) return { status: 404, private: true, page: { ...page, isMissing: true }, logs }
  const headers = { Allow: methods.join(', ') }
  return { status: 405, headers, private: true, page, logs }
}

const message =
  'There was a problem with the server configuration. Check the server logs for more information.'
const withPages = ['signin', 'signout', 'error', 'verify-request']

/**
 * Returns whether a person sees the response. A browser names HTML when it opens a page of a feature or sends its form.
 */
function isForPerson({ method, action, request }: Visit, { features }: Settings): boolean {
  const isOfFeature = isOptionalAction(action) || findFeature(features, action) !== undefined
  return isOfFeature
    ? /\btext\/html\b/i.test(request.headers.get('accept') ?? '')
    : method === 'GET' && withPages.includes(action)
}

/**
 * Responds to any request if the configuration is invalid, or the page of a feature throws. No route returns anything that
 * could be mistaken for a session.
 */
export function respondToFault(visit: Visit, settings: Settings, fault: AuthError): Result {
  if (!isForPerson(visit, settings)) return respondMisconfigured(fault)
  // The response does not contain an untrusted host (HH-01).
  const origin = knownOrigin(settings, visit.origin)
  const own = settings.pages.error
  const loops = own !== undefined && leadsBack(new URL(own, visit.origin), visit, settings)
  if (own && !loops) {
    const url = withParameter(own, visit, 'error', 'Configuration')
    const location = origin === undefined && new URL(url).origin === visit.origin ? pathOf(url) : url
    return { status: 302, location, private: true, logs: fault }
  }
  const logs = loops ? new ErrorPageLoop('The error page itself leads to an error', { err: fault }) : fault
  const explanation = explainToDeveloper(logs.type, settings)
  const page = { ...errorPage(visit, 'Configuration'), origin, explanation }
  return { status: 500, private: true, page, logs }
}

function respondMisconfigured(fault: AuthError): Result {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ message })
  return { status: 500, headers, body, private: true, logs: fault }
}

/** Returns whether the error page is a route of the library, or needs a session and redirected the browser here. */
function leadsBack(page: URL, { query, origin }: Visit, { basePath, features }: Settings): boolean {
  if (page.origin === origin && parseRoute(page.pathname, basePath, features)) return true
  const target = parseCallbackUrl(query.get('callbackUrl'), origin)
  return (
    target !== undefined &&
    new URL(target).pathname === page.pathname &&
    new URL(target).origin === page.origin
  )
}
