import { clearCookie, type CookieChange } from '../cookies/cookie.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'

/** The name that a user typed when a provider refused the password. */
export interface RefusedName {
  /** Id of the provider. */
  readonly provider: string
  readonly name: string
}

/** Seconds. The browser follows the redirect to the sign-in page at once. */
const maxAge = 60

/** Longer names are not kept, so that the cookie stays small. */
const maxName = 256

/**
 * Keeps the name in a sealed cookie until the sign-in page shows it. A URL would reveal it to logs and in the history of
 * the browser, and an attacker could put any name into a link.
 */
export async function rememberName(
  refused: RefusedName,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<CookieChange[]> {
  if (refused.name === '' || refused.name.length > maxName) return []
  const { name, options } = visit.cookieTable.refusedName
  const value = await keys.seal({ refused }, { salt: name, maxAge, now })
  return [{ name, value, options, expires: new Date(now + maxAge * 1000) }]
}

/** Returns the name that the cookie keeps, and removes it. Returns none if the cookie is missing, expired or forged. */
export async function takeName(
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<{ readonly refused?: RefusedName | undefined; readonly cookies: readonly CookieChange[] }> {
  const cookie = visit.cookieTable.refusedName
  const held = visit.cookies.get(cookie.name)
  if (!held) return { cookies: [] }
  const opened = await keys.open(held, { salt: cookie.name, now })
  const refused = 'claims' in opened ? (opened.claims.refused as RefusedName | undefined) : undefined
  return { refused, cookies: [clearCookie(cookie)] }
}
