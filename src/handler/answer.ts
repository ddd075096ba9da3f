import type { Settings } from '../config/settings.ts'
import { CredentialsSignin, isClientError, type AuthError } from '../errors.ts'
import type { Outcome } from '../flows/outcome.ts'
import type { Answer } from '../http/respond.ts'
import type { Visit } from '../http/visit.ts'
import type { Page } from '../pages/page.ts'
import type { Shown } from '../routes/showings.ts'
import type { Announcement } from '../steps/outbox.ts'

/** An answer, and what is to be done with it beside sending it. */
export interface Finished {
  readonly answer: Answer
  /** A page whose HTML is the body. */
  readonly page?: Page
  readonly announces?: readonly Announcement[]
  readonly logs?: Error
  /** In raw mode it is thrown instead. */
  readonly throws?: AuthError
}

/** What a flow ended in, as an answer; `traceId` names its run to the error page. */
export function answerOutcome(
  outcome: Outcome,
  visit: Visit,
  settings: Settings,
  traceId?: string,
): Finished {
  const { announces, logs, cookies = [] } = outcome
  switch (outcome.kind) {
    case 'redirect':
      return { answer: { status: 302, location: outcome.location, cookies }, announces }
    case 'page':
      return { answer: { status: outcome.status, cookies, private: true }, page: outcome.page, announces }
    case 'json': {
      const { status, body } = outcome
      return {
        answer: { status, ...json(body), cookies, private: true },
        announces,
        logs,
        throws: outcome.throws,
      }
    }
    case 'error':
      return {
        answer: { status: 302, location: locateError(outcome.error, visit, settings, traceId), cookies },
        logs: outcome.error,
        throws: outcome.throws,
      }
  }
}

/** What was shown without a flow, as an answer. */
export function answerShown(shown: Shown): Finished {
  const { cookies = [] } = shown
  switch (shown.kind) {
    case 'redirect':
      return { answer: { status: 302, location: shown.location, cookies } }
    case 'json':
      return { answer: { status: shown.status, ...json(shown.body), cookies, private: shown.isPrivate } }
    case 'page':
      return { answer: { status: shown.status, cookies, private: true }, page: shown.page }
    case 'script':
      return { answer: { status: 200, headers: scriptHeaders, body: shown.text, cookies } }
    case 'empty':
      return { answer: { status: shown.status, cookies } }
  }
}

/** The same for everybody; its URL names the version. */
const scriptHeaders = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=86400',
}

function json(body: unknown = null) {
  const headers = { 'Content-Type': 'application/json' }
  // Raw mode hands objects on as they are.
  return { headers, body: typeof body === 'object' ? body : JSON.stringify(body) }
}

/** The page that shows an error: only what may be told to the client is in its URL. */
export function locateError(
  error: AuthError,
  visit: Visit,
  { pages, debug }: Settings,
  traceId?: string,
): string {
  const own = error.kind === 'signIn' ? pages.signIn : pages.error
  const page = new URL(own ?? `${visit.base}/${error.kind === 'signIn' ? 'signin' : 'error'}`, visit.origin)
  page.searchParams.set('error', isClientError(error) ? error.type : 'Configuration')
  if (error instanceof CredentialsSignin) page.searchParams.set('code', error.code)
  if (debug && traceId !== undefined && error.kind === 'error') page.searchParams.set('trace', traceId)
  return page.href
}
