import type { CookieChange } from '../cookies/cookie.ts'
import { equalsInConstantTime, sha256Hex, sha256Base64url } from '../crypto/hash.ts'
import { randomHex } from '../crypto/random.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import type { Settings } from '../config/settings.ts'
import type { Visit } from './visit.ts'

export interface Csrf {
  /** The token that forms must send. */
  readonly token: string
  /** The value of the cookie: the token, and a hash that only a holder of the secret can create. */
  readonly cookie: string
}

/** Creates a CSRF token of 32 random bytes in hex, and a cookie signed with the first secret. */
export function mintCsrf(
  secrets: readonly string[],
  randomBytes: (length: number) => Uint8Array,
): MaybePromise<Csrf> {
  const token = randomHex(randomBytes)
  return whenReady(sign(token, secrets[0]), (hash) => ({ token, cookie: `${token}|${hash}` }))
}

/**
 * Returns the token of a CSRF cookie if it was signed with one of the secrets (decision 25). The length of the token is
 * fixed; otherwise a client could move the boundary between token and secret without changing the hash. Nothing else
 * about its format is checked, because only a holder of the secret can create a valid hash.
 */
export function readCsrf(
  cookieValue: string | undefined,
  secrets: readonly string[],
): MaybePromise<string | undefined> {
  if (cookieValue?.length !== 129 || cookieValue[64] !== '|') return undefined
  const token = cookieValue.slice(0, 64)
  const given = cookieValue.slice(65)
  const [first, ...others] = secrets
  return whenReady(sign(token, first), (hash) => {
    if (equalsInConstantTime(hash, given)) return token
    return others.length > 0 ? readCsrf(cookieValue, others) : undefined
  })
}

/** Returns whether the body of a request contains the token. */
export function matchesCsrf(token: string, submitted: unknown): boolean {
  return typeof submitted === 'string' && equalsInConstantTime(token, submitted)
}

function sign(token: string, secret: string | undefined): MaybePromise<string> {
  // With an empty secret, anyone could create tokens. The configuration check refuses it; this check does not rely on
  // that.
  if (!secret) throw new TypeError('A CSRF token needs a secret')
  return sha256Hex(`${token}${secret}`)
}

export interface CsrfToken {
  readonly token: string
  /** The cookie to set, if the token is new. */
  readonly cookies: readonly CookieChange[]
}

/** Creates a new CSRF token with its cookie, for sign-in and sign-out (decision 15). */
export function changeCsrf(visit: Visit, { secrets, platform }: Settings): MaybePromise<CsrfToken> {
  const { name, options } = visit.cookieTable.csrfToken
  return whenReady(mintCsrf(secrets, platform.randomBytes), ({ token, cookie }) => ({
    token,
    cookies: [{ name, value: cookie, options }],
  }))
}

/** Returns the token that the browser sent. Of several cookies, the first valid one counts (decision 63). */
export function readHeldCsrf(
  { cookies, cookieTable }: Visit,
  { secrets }: Settings,
): MaybePromise<string | undefined> {
  const [first, ...others] = cookies.getAll(cookieTable.csrfToken.name)
  return whenReady(readCsrf(first, secrets), (token) =>
    token === undefined && others.length > 0 ? readFirst(others, secrets) : token,
  )
}

async function readFirst(values: readonly string[], secrets: readonly string[]): Promise<string | undefined> {
  for (const value of values) {
    const token = await readCsrf(value, secrets)
    if (token !== undefined) return token
  }
  return undefined
}

/** Returns the token that the browser sent, or a new one. */
export function provideCsrf(visit: Visit, settings: Settings): MaybePromise<CsrfToken> {
  return whenReady(readHeldCsrf(visit, settings), (token) =>
    token ? { token, cookies: [] } : changeCsrf(visit, settings),
  )
}

/** A browser has another name for each purpose. */
export type BrowserPurpose = 'code' | 'factor' | 'feature' | 'held-sign-in'

/** Names a browser by a hash of its CSRF token, for values that only this browser may use. */
export async function nameBrowser(purpose: BrowserPurpose, csrfToken: string): Promise<string> {
  return sha256Base64url(`${purpose} ${csrfToken}`)
}

/** Returns whether a request comes from the named browser. Without CSRF checks, browsers have no name. */
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
