import type { Settings } from '../config/settings.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import { readHeldCsrf } from './csrf.ts'
import type { Visit } from './visit.ts'

/** A browser has another name for each purpose. */
export type BrowserPurpose = 'code' | 'factor'

/** Names a browser by a hash of its CSRF token, for values that only this browser may use. */
export async function nameBrowser(purpose: BrowserPurpose, csrfToken: string): Promise<string> {
  return sha256Base64url(`${purpose} ${csrfToken}`)
}

/** Tells whether a request comes from the named browser. Without CSRF checks, browsers have no name. */
export async function isSameBrowser(
  purpose: BrowserPurpose,
  name: unknown,
  visit: Visit,
  settings: Settings,
): Promise<boolean> {
  if (!settings.csrf) return true
  const token = await readHeldCsrf(visit, settings)
  return token !== undefined && (await nameBrowser(purpose, token)) === name
}
