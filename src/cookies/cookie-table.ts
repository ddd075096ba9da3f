import { asError } from '../errors/as-error.ts'
import type { CookiePurpose, CookieTable } from '../config/settings.ts'
import { type AuthError, InvalidConfig } from '../errors/classes.ts'
import type { CookieOption, CookieSerializeOptions, CookiesOptions } from '../types/cookies.ts'
import { withoutUndefined } from '../copies/copy-handed-out.ts'
import { serializeCookie } from './cookie.ts'

/**
 * Changes the options of a cookie that browsers must send with a provider's cross-site POST
 * (`response_mode=form_post`). Keeps options that the user set.
 */
export function forFormPost(cookie: CookieTable[keyof CookieTable]): CookieSerializeOptions {
  return cookie.overridden ? cookie.options : { ...cookie.options, sameSite: 'none', secure: true }
}

/** Seconds within which a sign-in must be finished. */
const checkMaxAge = 900

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
    // Has only Expires, as existing clients expect.
    nonce: entry('nonce', 'nonce'),
    webauthnChallenge: entry('webauthnChallenge', 'challenge', { maxAge: checkMaxAge }),
    requestedLinks: entry('requestedLinks', 'requested-links'),
    requestedCode: entry('requestedCode', 'requested-code'),
    pendingSignIn: entry('pendingSignIn', 'pending-sign-in'),
    rememberedDevice: entry('rememberedDevice', 'remembered-device'),
    refusedName: entry('refusedName', 'refused-name'),
    feature: entry('feature', 'feature'),
  })
}

/** The cookies that no other host of the domain may set. */
const ownHost: readonly CookiePurpose[] = [
  'csrfToken',
  'requestedLinks',
  'requestedCode',
  'pendingSignIn',
  'rememberedDevice',
  'refusedName',
  'feature',
]

/**
 * `__Host-` requires the path `/` and no Domain. User agents reject a cookie that violates this (RFC 6265bis 4.1.3.2).
 */
function prefix(purpose: CookiePurpose, { domain, path }: CookieSerializeOptions): string {
  return ownHost.includes(purpose) && !domain && path === '/' ? '__Host-' : '__Secure-'
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
