import type { Settings } from '../config/settings.ts'
import { findConnectionProblem } from '../errors/connection-problem.ts'
import {
  type AuthError,
  CredentialsSignin,
  isClientError,
  OAuthCallbackError,
  RateLimited,
} from '../errors/classes.ts'
import type { Result } from '../flows/engine/result.ts'
import { askedFor, isOfOrigin, parseCallbackUrl } from '../http/callback-url.ts'
import type { Visit } from '../http/visit.ts'

interface Details {
  /** Identifies the run on the error page. */
  readonly traceId?: string | undefined
  /** The URL that the user wanted to visit, after the redirect callback has checked it. */
  readonly callbackUrl?: string | undefined
}

/**
 * Completes a result that redirects for an error with the URL of the page that shows it. A custom sign-in page also
 * gets the URL that the user wanted to visit, so that the next attempt leads there.
 */
export function locateResult(
  result: Result,
  visit: Visit,
  settings: Settings,
  details: Details = {},
): Result {
  const { error } = result
  if (!error) return result
  const callbackUrl = details.callbackUrl ?? findTarget(visit)
  const location = locateError(error, visit, settings, { ...details, callbackUrl })
  return { ...result, location, showsError: true, ...(error instanceof RateLimited && { limited: error }) }
}

/**
 * Returns the callback URL of a refused request, such as a form without a CSRF token. The redirect callback has not
 * checked it, so it must be on this site.
 */
function findTarget(visit: Visit): string | undefined {
  const target = parseCallbackUrl(askedFor(visit)?.value, visit.origin)
  return target !== undefined && isOfOrigin(target, visit.origin) ? target : undefined
}

/** Returns whether there is a target. Without one, the sign-in page can use its own. */
function leadsOn(target: string | undefined, page: URL, origin: string): target is string {
  if (target === undefined || target === origin) return false
  const { origin: site, pathname } = new URL(target)
  return site !== page.origin || pathname !== page.pathname
}

/** Returns the URL of the page that shows an error. It contains only what the client may see. */
export function locateError(
  error: AuthError,
  visit: Pick<Visit, 'base' | 'origin'>,
  settings: Settings,
  { traceId, callbackUrl }: Details = {},
): string {
  const { pages, debug, development } = settings
  const own = error.kind === 'signIn' ? pages.signIn : pages.error
  const page = new URL(own ?? `${visit.base}/${error.kind === 'signIn' ? 'signin' : 'error'}`, visit.origin)
  page.searchParams.set('error', isClientError(error) ? error.type : 'Configuration')
  // The built-in page explains the error to developers, and Configuration stands for many types.
  const isHidden = page.searchParams.get('error') === 'Configuration'
  if (development && own === undefined && error.kind === 'error' && isHidden)
    page.searchParams.set('type', findConnectionProblem(error) ?? error.type)
  if (error instanceof CredentialsSignin) page.searchParams.set('code', error.code)
  // Cancelling is not an error, so the page has to distinguish it from errors.
  if (error instanceof OAuthCallbackError && error.cause?.code === 'access_denied')
    page.searchParams.set('code', 'access_denied')
  if (error instanceof RateLimited && error.retryAfter !== undefined)
    page.searchParams.set('retryAfter', String(error.retryAfter))
  if (own !== undefined && error.kind === 'signIn' && leadsOn(callbackUrl, page, visit.origin))
    page.searchParams.set('callbackUrl', callbackUrl)
  if (debug && traceId !== undefined && error.kind === 'error') page.searchParams.set('trace', traceId)
  return page.href
}
