import type { Settings } from '../config/settings.ts'
import { ErrorPageLoop, InvalidProvider, UnknownAction, type AuthError } from '../errors.ts'
import { withParameter } from '../flows/endings.ts'
import { parseCallbackUrl } from '../http/callback-url.ts'
import { knownOrigin, pathOf } from '../http/known-origin.ts'
import { parseRoute } from '../http/parse-route.ts'
import type { Refused, Visit } from '../http/visit.ts'
import type { Route } from '../routes/routes.ts'
import { errorPage } from '../routes/showings.ts'
import { locateError, type Finished } from './answer.ts'

/** A request that is none of ours, or malformed: 404 shows the error page, the rest a word of JSON. */
export function answerRefused(refused: Refused, request: Request, settings: Settings): Finished {
  const { status, message, allow } = refused
  const logs = new UnknownAction(message)
  // It may be the base path that is wrong, and then nothing of ours is where it is looked for.
  if (status === 404 && settings.fault) return answerMisconfigured(settings.fault)
  if (status === 404) {
    // Without a fault the host is trusted.
    const origin = settings.canonicalOrigin ?? new URL(request.url).origin
    const page = errorPage({ origin, base: `${origin}${settings.basePath}` })
    return { answer: { status, cookies: [], private: true }, page, logs }
  }
  const body = JSON.stringify(status === 400 ? 'Bad request.' : message)
  const headers = { 'Content-Type': 'application/json', ...(allow && { Allow: allow }) }
  return { answer: { status, headers, body, cookies: [] }, logs }
}

/**
 * A provider that is not configured is a page that does not exist. In raw mode a server action named it, which expects
 * the URL of the error page (decision 46).
 */
export function answerUnknownProvider(visit: Visit, settings: Settings): Finished {
  if (!settings.raw) return answerUnrouted(visit, [])
  const known = [...settings.providers.keys()].join(', ') || 'none'
  const error = new InvalidProvider(
    `There is no provider "${visit.providerId}". The configured providers are: ${known}`,
  )
  const location = locateError(error, visit, settings)
  return { answer: { status: 302, location, cookies: [] }, logs: error }
}

/** A path that nothing answers, or nothing with this method. */
export function answerUnrouted(visit: Visit, candidates: readonly Route[]): Finished {
  const page = errorPage(visit)
  const methods = [...new Set(candidates.map(({ method }) => method))]
  const logs = new UnknownAction(`Cannot handle action: ${visit.method} ${visit.action}`)
  if (methods.length === 0) return { answer: { status: 404, cookies: [], private: true }, page, logs }
  const headers = { Allow: methods.join(', ') }
  return { answer: { status: 405, headers, cookies: [], private: true }, page, logs }
}

const message =
  'There was a problem with the server configuration. Check the server logs for more information.'
const withPages = ['signin', 'signout', 'error', 'verify-request']

/** A configuration that cannot work: no route answers anything that could be taken for a session. */
export function answerFault(visit: Visit, settings: Settings, fault: AuthError): Finished {
  if (visit.method !== 'GET' || !withPages.includes(visit.action)) return answerMisconfigured(fault)
  // A host that nobody trusts is not passed on (HH-01).
  const origin = knownOrigin(settings, visit.origin)
  const own = settings.pages.error
  const loops = own !== undefined && leadsBack(new URL(own, visit.origin), visit, settings)
  if (own && !loops) {
    const url = withParameter(own, visit, 'error', 'Configuration')
    const location = origin === undefined && new URL(url).origin === visit.origin ? pathOf(url) : url
    return { answer: { status: 302, location, cookies: [], private: true }, logs: fault }
  }
  const page = { ...errorPage(visit, 'Configuration'), origin }
  const logs = loops ? new ErrorPageLoop('The error page itself leads to an error', { err: fault }) : fault
  return { answer: { status: 500, cookies: [], private: true }, page, logs }
}

function answerMisconfigured(fault: AuthError): Finished {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ message })
  return { answer: { status: 500, headers, body, cookies: [], private: true }, logs: fault }
}

/** Is the error page one of our own routes, or does it need a session, so that it sent the browser here? */
function leadsBack(page: URL, { query, origin }: Visit, { basePath }: Settings): boolean {
  if (page.origin === origin && parseRoute(page.pathname, basePath)) return true
  const target = parseCallbackUrl(query.get('callbackUrl'), origin)
  return (
    target !== undefined &&
    new URL(target).pathname === page.pathname &&
    new URL(target).origin === page.origin
  )
}
