import type { Settings } from '../config/settings.ts'
import { findConnectionProblem } from '../connection-problem.ts'
import {
  type AuthError,
  CredentialsSignin,
  isClientError,
  OAuthCallbackError,
  RateLimited,
} from '../errors.ts'
import type { Result } from '../flows/engine/result.ts'
import type { Visit } from '../http/visit.ts'

/**
 * Completes a result that redirects for an error with the URL of the page that shows it. `traceId` identifies the run
 * on that page.
 */
export function locateResult(result: Result, visit: Visit, settings: Settings, traceId?: string): Result {
  const { error } = result
  if (!error) return result
  const location = locateError(error, visit, settings, traceId)
  return { ...result, location, showsError: true, ...(error instanceof RateLimited && { limited: error }) }
}

/** Returns the URL of the page that shows an error. It contains only what the client may see. */
export function locateError(
  error: AuthError,
  visit: Pick<Visit, 'base' | 'origin'>,
  settings: Settings,
  traceId?: string,
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
  // Cancelling is not an error, so the page has to tell it from others.
  if (error instanceof OAuthCallbackError && error.cause?.code === 'access_denied')
    page.searchParams.set('code', 'access_denied')
  if (error instanceof RateLimited && error.retryAfter !== undefined)
    page.searchParams.set('retryAfter', String(error.retryAfter))
  if (debug && traceId !== undefined && error.kind === 'error') page.searchParams.set('trace', traceId)
  return page.href
}
