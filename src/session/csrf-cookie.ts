import type { Settings } from '../config/settings.ts'
import type { CookieChange } from '../cookies/cookie-change.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { mintCsrf, readCsrf } from '../http/csrf.ts'
import type { Visit } from '../http/visit.ts'

export interface CsrfToken {
  readonly token: string
  /** The cookie to set, when the token is new. */
  readonly cookies: readonly CookieChange[]
}

/** A new CSRF token with its cookie, at sign-in and sign-out (decision 15). */
export function changeCsrf(visit: Visit, { secrets, platform }: Settings): MaybePromise<CsrfToken> {
  const { name, options } = visit.cookieTable.csrfToken
  return whenReady(mintCsrf(secrets, platform.randomBytes), ({ token, cookie }) => ({
    token,
    cookies: [{ name, value: cookie, options }],
  }))
}

/** The token that the browser holds, or a new one. */
export function provideCsrf(visit: Visit, settings: Settings): MaybePromise<CsrfToken> {
  const held = readCsrf(visit.cookies.get(visit.cookieTable.csrfToken.name), settings.secrets)
  return whenReady(held, (token) => (token ? { token, cookies: [] } : changeCsrf(visit, settings)))
}
