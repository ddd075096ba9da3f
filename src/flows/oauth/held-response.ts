import type { OAuthSettings } from '../../config/settings.ts'
import { clearChunked, readChunked, writeChunked } from '../../cookies/chunks.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import type { Visit } from '../../http/visit.ts'
import { type MaybePromise, whenReady } from '../../async/maybe-promise.ts'
import type { Keyring } from '../../token/keyring.ts'

/** Seconds within which the browser must follow the redirect. */
const maxAge = 60
/** Maximum characters. Codes and states are shorter, and servers limit the headers of a request. */
const maxLength = 4000

/** Named after the state, whose other cookies end with a number or a transaction. */
function cookieOf({ cookieTable: { state } }: Visit) {
  return { name: `${state.name}.response`, options: state.options }
}

/**
 * Tells whether the browser may hold a session that it did not send: browsers send Lax cookies with a top-level GET, but
 * not with a cross-site POST.
 */
export function isHeldBack(visit: Visit, response: URLSearchParams): boolean {
  const isSent = readChunked(visit.cookies, visit.cookieTable.sessionToken.name) !== undefined
  return visit.method === 'POST' && !isSent && response.toString().length <= maxLength
}

/** Seals a posted response into a cookie. In a URL, the code would be in logs and in the history. */
export function holdResponse(
  response: URLSearchParams,
  visit: Visit,
  provider: OAuthSettings,
  keys: Keyring,
  now: number,
): MaybePromise<CookieChange[]> {
  const { name, options } = cookieOf(visit)
  const claims = { provider: provider.id, response: response.toString() }
  return whenReady(keys.seal(claims, { salt: name, maxAge, now }), (value) =>
    writeChunked(
      visit.cookies,
      { name, options: { ...options, maxAge } },
      value,
      new Date(now + maxAge * 1000),
    ),
  )
}

/** Opens the cookie. Returns an empty response if it is missing, expired, forged, or of another provider. */
export function openHeldResponse(
  visit: Visit,
  provider: OAuthSettings,
  keys: Keyring,
  now: number,
): MaybePromise<URLSearchParams> {
  const { name } = cookieOf(visit)
  const held = readChunked(visit.cookies, name)
  if (held === undefined) return new URLSearchParams()
  return whenReady(keys.open(held, { salt: name, now }), (opened) => {
    const { provider: id, response } = 'claims' in opened ? opened.claims : {}
    return new URLSearchParams(id === provider.id && typeof response === 'string' ? response : '')
  })
}

/** Clears the cookie, if the request has it. */
export function clearHeldResponse(visit: Visit): CookieChange[] {
  const { name, options } = cookieOf(visit)
  return readChunked(visit.cookies, name) === undefined ? [] : clearChunked(visit.cookies, { name, options })
}
