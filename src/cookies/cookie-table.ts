import { asError } from '../errors/as-error.ts'
import type { CookiePurpose, CookieRow, CookieTable } from '../config/settings.ts'
import { optionalCookies } from '../features/options.ts'
import { type AuthError, InvalidConfig } from '../errors/classes.ts'
import type { CookieOption, CookieSerializeOptions, CookiesOptions } from '../types/cookies.ts'
import { withoutUndefined } from '../copies/copy-handed-out.ts'
import { serializeCookie } from './cookie.ts'

/** Seconds within which a sign-in must be finished. */
const checkMaxAge = 900

const rows: Readonly<Record<CookiePurpose, CookieRow>> = {
  sessionToken: { suffix: 'session-token' },
  callbackUrl: { suffix: 'callback-url' },
  csrfToken: { suffix: 'csrf-token', isOwnHost: true },
  pkceCodeVerifier: { suffix: 'pkce.code_verifier', options: { maxAge: checkMaxAge } },
  state: { suffix: 'state', options: { maxAge: checkMaxAge } },
  // Has only Expires, as existing clients expect.
  nonce: { suffix: 'nonce' },
  ...optionalCookies,
  requestedLinks: { suffix: 'requested-links', isOwnHost: true },
  pendingSignIn: { suffix: 'pending-sign-in', isOwnHost: true },
  refusedName: { suffix: 'refused-name', isOwnHost: true },
  feature: { suffix: 'feature', isOwnHost: true },
}

/** The purposes of all cookies. */
export const cookiePurposes = Object.keys(rows) as CookiePurpose[]

type Entry = CookieOption & { readonly overridden: boolean }

/**
 * Creates the names and options of all cookies. The user's options override the defaults one by one. `overridden` marks
 * cookies with options of the user, which the library does not change (decision 27).
 *
 * @param secure whether to use prefixed names and the Secure attribute, for https
 */
export function createCookieTable(
  overrides: Partial<CookiesOptions> | undefined,
  secure: boolean,
): CookieTable {
  const entry = (purpose: CookiePurpose): Entry => {
    const { suffix, options: special, isOwnHost = false } = rows[purpose]
    const given = overrides?.[purpose]
    const options: CookieSerializeOptions = {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure,
      ...special,
      ...withoutUndefined(given?.options ?? {}),
    }
    const name = given?.name ?? `${secure ? prefix(isOwnHost, options) : ''}authjs.${suffix}`
    return Object.freeze({ name, options: Object.freeze(options), overridden: given?.options !== undefined })
  }
  const entries = cookiePurposes.map((purpose) => [purpose, entry(purpose)] as const)
  return Object.freeze(Object.fromEntries(entries)) as CookieTable
}

/**
 * `__Host-` requires the path `/` and no Domain. User agents reject a cookie that violates this (RFC 6265bis 4.1.3.2).
 */
function prefix(isOwnHost: boolean, { domain, path }: CookieSerializeOptions): string {
  return isOwnHost && !domain && path === '/' ? '__Host-' : '__Secure-'
}

/** Returns the fault of the first cookie that is invalid or shares its name with another, or undefined. */
export function findCookieFault(table: CookieTable): AuthError | undefined {
  const names = new Set<string>()
  for (const [purpose, { name, options }] of Object.entries(table)) {
    if (typeof name !== 'string') return new InvalidConfig(`\`cookies.${purpose}.name\` must be a string`)
    if (names.has(name))
      return new InvalidConfig(
        `\`cookies.${purpose}\` has the same name as another cookie. Set another \`name\``,
      )
    names.add(name)
    try {
      serializeCookie({ name, value: 'value', options: { ...options, encode: undefined } })
    } catch (error) {
      const { message } = asError(error)
      return new InvalidConfig(`\`cookies.${purpose}\` is not a valid cookie: ${message}`)
    }
  }
  return undefined
}
