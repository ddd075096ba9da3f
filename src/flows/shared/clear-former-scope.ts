import { clearChunked } from '../../cookies/chunks.ts'
import type { CookieChange } from '../../cookies/cookie.ts'
import { isSameScope, parseScope } from '../../cookies/scope.ts'
import type { Visit } from '../../http/visit.ts'
import type { Claims } from '../../token/decrypt-token.ts'

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
