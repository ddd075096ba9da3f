import type { Settings } from '../../config/settings.ts'
import { warnEachMinute } from '../../config/warnings.ts'
import { clearChunked, measureSent, writeChunked } from '../../cookies/chunks.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import { isSameScope, parseScope } from '../../cookies/scope.ts'
import { findHeaderLimit } from '../../crypto/node-crypto.ts'
import { AuthError } from '../../errors/classes.ts'
import type { Visit } from '../../http/visit.ts'
import { type MaybePromise, whenReady } from '../../async/maybe-promise.ts'
import { sealSessionToken, tokenExpiry } from '../../session/session-token.ts'
import type { Claims } from '../../token/decrypt-token.ts'
import type { World } from '../engine/world.ts'

/** Bytes of cookies above which common proxies refuse a request. nginx accepts 8 KiB for one header. */
const large = 7500
/** Bytes of a request that browsers and proxies need for other headers. */
const otherHeaders = 2048

/**
 * Seals a session token into its cookies. Warns if common proxies will refuse them.
 *
 * @throws AuthError if the server of Node would refuse them. The library would see no further request of the user, not
 * even a sign-out
 */
export function sealIntoCookies(
  token: Claims,
  visit: Visit,
  { settings, keys, platform }: World,
  expires = tokenExpiry(token, platform.now(), settings),
): MaybePromise<readonly CookieChange[]> {
  const cookie = visit.cookieTable.sessionToken
  return whenReady(sealSessionToken(token, cookie, settings, keys, platform.now()), (value) => {
    const changes = writeChunked(visit.cookies, cookie, value, expires)
    if (value.length > large) checkSize(measureSent(changes), cookie.name, settings)
    return changes
  })
}

function checkSize(size: number, name: string, settings: Settings): void {
  const limit = findHeaderLimit()
  if (limit !== undefined && size > limit - otherHeaders)
    throw new AuthError(
      `The cookie ${name} is too long: it needs ${size} bytes, and Node accepts ${limit} bytes of headers in a request. ` +
        'Keep less in the session token, or raise `--max-http-header-size`.',
    )
  warnEachMinute(settings, 'large-session', name, () => `It has ${size} bytes`)
}

/**
 * Clears the cookie in which the browser keeps a token, if its scope is not the configured one. Send this before the
 * renewed token.
 */
export function clearFormerScope(
  { cookieScope }: Claims,
  { cookies, cookieTable: { sessionToken } }: Visit,
): CookieChange[] {
  const { name, options } = sessionToken
  const scope = parseScope(cookieScope)
  if (isSameScope(scope, options)) return []
  return clearChunked(cookies, { name, options: { ...options, ...scope } })
}
