import type { CookieChange } from '../cookies/cookie.ts'
import type { Visit } from '../http/visit.ts'
import { type CookieSealing, sealedCookie } from '../token/sealed.ts'

/** The name that a user typed when a provider refused the password. */
export interface RefusedName {
  /** Id of the provider. */
  readonly provider: string
  readonly name: string
}

/** Longer names are not stored, so that the cookie stays small. */
const maxName = 256

export const nameCookie = sealedCookie<RefusedName>({
  cookie: ({ cookieTable }) => cookieTable.refusedName,
  // The browser follows the redirect to the sign-in page at once.
  maxAge: 60,
  boundTo: [],
  toClaims: (refused) => ({ refused }),
  read: ({ refused }) => refused as RefusedName | undefined,
})

/**
 * Stores the name in a sealed cookie until the sign-in page shows it. A URL would reveal it in logs and in the history
 * of the browser, and an attacker could put any name into a link.
 */
export async function rememberName(
  refused: RefusedName,
  visit: Visit,
  world: CookieSealing,
): Promise<CookieChange[]> {
  const isKept = refused.name !== '' && refused.name.length <= maxName
  return isKept ? nameCookie.write(refused, visit, world) : []
}

/** Returns the name in the cookie, and removes the cookie. Returns none if the cookie is missing, expired or forged. */
export async function takeName(
  visit: Visit,
  world: CookieSealing,
): Promise<{ readonly refused?: RefusedName | undefined; readonly cookies: readonly CookieChange[] }> {
  if (!nameCookie.isSent(visit)) return { cookies: [] }
  return { refused: await nameCookie.open(visit, {}, world), cookies: nameCookie.remove(visit) }
}
