import type { Ending } from '../../../machines/endings.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import type { AuthError } from '../../errors/classes.ts'
import { jsonHeaders, type ResponseData } from '../../http/respond.ts'
import type { Page } from '../../pages/page.ts'
import type { Awaitable } from '../../types/records.ts'
import type { Authentication } from '../../types/authentication.ts'
import type { Announcement } from './world.ts'

/** Lets the sign-in pass that a gate holds in this browser. The handler continues it, and sends its response. */
export interface Passing {
  /** The route of the gate. */
  readonly gate: string
  /** What the gate has learnt, by its name. */
  readonly learnt: Readonly<Record<string, unknown>>
  /** Called unless the sign-in succeeds, with the kind of its end. */
  readonly undo?: ((ending: Ending) => Awaitable<void>) | undefined
}

/** The result of a flow or page: the response as data, and the other work of the handler. */
export interface Result extends Omit<ResponseData, 'cookies'> {
  /** Set after the cookies of the run's outbox. */
  readonly cookies?: readonly CookieChange[]
  /** A page whose HTML becomes the body. */
  readonly page?: Page
  /** An error to redirect for. The handler adds the URL of the page that shows it. */
  readonly error?: AuthError
  /** Events to fire after those of the run's outbox. */
  readonly announces?: readonly Announcement[]
  /** How the user of the session authenticated. */
  readonly authentication?: Authentication | undefined
  readonly logs?: Error
  /** Thrown in raw mode. Without it, raw mode returns the response as data (decision 46). */
  readonly throws?: AuthError
  readonly passes?: Passing
}

/** Redirects the browser. */
export function redirect(location: string): Result {
  return { status: 302, location }
}

/** Returns JSON with caching disabled. In raw mode, returns an object unchanged. */
export function json(body: unknown = null, status = 200): Result {
  return {
    status,
    headers: jsonHeaders,
    body: typeof body === 'object' ? body : JSON.stringify(body),
    private: true,
  }
}

/** Returns a built-in page. */
export function show(page: Page, status = 200): Result {
  return { status, page, private: true }
}

/** Logs an error, and redirects to the page that shows it. */
export function redirectFor(error: AuthError): Result {
  return { status: 302, error, logs: error }
}

/** Like `redirectFor`, and throws the error in raw mode. */
export function throwOrRedirectFor(error: AuthError): Result {
  return { ...redirectFor(error), throws: error }
}
