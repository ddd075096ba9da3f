import { sha256Base64url } from '../crypto/hash.ts'
import { readHeldCsrf } from '../http/csrf.ts'
import type { Settings } from '../config/settings.ts'
import type { Visit } from '../http/visit.ts'

/** Returns what a pending sign-in is bound to in the cookies of a browser. */
export async function nameFactorBrowser(csrfToken: string): Promise<string> {
  return sha256Base64url(`factor ${csrfToken}`)
}

/** Tells whether the browser has the CSRF token that the name was made of. Without CSRF checks, browsers have none. */
export async function isFactorBrowser(name: string, visit: Visit, settings: Settings): Promise<boolean> {
  if (!settings.csrf) return true
  const token = await readHeldCsrf(visit, settings)
  return token !== undefined && (await nameFactorBrowser(token)) === name
}
