import { withoutUndefined } from '../without-undefined.ts'
import type { CookiePurpose, CookieTable } from '../config/settings.ts'
import { type AuthError, InvalidConfig } from '../errors.ts'
import type { CookieOption, CookieSerializeOptions, CookiesOptions } from '../types/config.ts'
import { serializeCookie } from './serialize-cookie.ts'

/** Seconds in which a sign-in that was started has to come back. */
const checkMaxAge = 900

type Entry = CookieOption & { readonly overridden: boolean }

/**
 * Names and options of all cookies. What the user gives is laid over the defaults, option by option; `overridden`
 * says that options were given, which the library then leaves alone (decision 27).
 *
 * @param secure  Prefixed names and the Secure attribute, for https
 */
export function createCookieTable(
  overrides: Partial<CookiesOptions> | undefined,
  secure: boolean,
): CookieTable {
  const entry = (purpose: CookiePurpose, suffix: string, special: CookieSerializeOptions = {}): Entry => {
    const given = overrides?.[purpose]
    const options: CookieSerializeOptions = {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure,
      ...special,
      ...withoutUndefined(given?.options ?? {}),
    }
    const name = given?.name ?? `${secure ? prefix(purpose, options) : ''}authjs.${suffix}`
    return Object.freeze({ name, options: Object.freeze(options), overridden: given?.options !== undefined })
  }
  return Object.freeze({
    sessionToken: entry('sessionToken', 'session-token'),
    callbackUrl: entry('callbackUrl', 'callback-url'),
    csrfToken: entry('csrfToken', 'csrf-token'),
    pkceCodeVerifier: entry('pkceCodeVerifier', 'pkce.code_verifier', { maxAge: checkMaxAge }),
    state: entry('state', 'state', { maxAge: checkMaxAge }),
    // Has Expires alone, as existing clients know it.
    nonce: entry('nonce', 'nonce'),
    webauthnChallenge: entry('webauthnChallenge', 'challenge', { maxAge: checkMaxAge }),
    requestedLinks: entry('requestedLinks', 'requested-links'),
  })
}

/** Cookies that no other host of the site may set. */
const ownHost: readonly CookiePurpose[] = ['csrfToken', 'requestedLinks']

/** `__Host-` promises user agents no Domain and the path `/`; they drop a cookie that breaks it (RFC 6265bis 4.1.3.2). */
function prefix(purpose: CookiePurpose, { domain, path }: CookieSerializeOptions): string {
  return ownHost.includes(purpose) && !domain && path === '/' ? '__Host-' : '__Secure-'
}

/** The first cookie that could not be sent, or that shares its name with another; undefined when all are well. */
export function findCookieFault(table: CookieTable): AuthError | undefined {
  const names = new Set<string>()
  for (const [purpose, { name, options }] of Object.entries(table)) {
    if (typeof name !== 'string') return new InvalidConfig(`cookies.${purpose}.name is a string`)
    if (names.has(name)) return new InvalidConfig(`cookies.${purpose} shares its name with another cookie`)
    names.add(name)
    try {
      serializeCookie({ name, value: 'value', options: { ...options, encode: undefined } })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return new InvalidConfig(`cookies.${purpose} makes no valid cookie: ${why}`)
    }
  }
  return undefined
}
