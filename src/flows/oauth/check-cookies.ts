import type { Check, CookiePurpose, CookieTable, OAuthSettings } from '../../config/settings.ts'
import { clearCookie, type CookieChange, forFormPost } from '../../cookies/cookie.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import type { Visit } from '../../http/visit.ts'
import type { Claims } from '../../token/decrypt-token.ts'
import { type SealedCookie, sealedCookie, sealedText } from '../../token/sealed.ts'

/** Seconds that a user may spend at the provider. */
const checkMaxAge = 900

/** The cookie of each check, in the order of creation. */
export const checkPurposes = {
  state: 'state',
  pkce: 'pkceCodeVerifier',
  nonce: 'nonce',
} as const satisfies Record<Check, CookiePurpose>
/** All checks. */
export const allChecks = Object.keys(checkPurposes) as readonly Check[]

/** The content of a check cookie: the value, the provider, and other data of the sign-in. */
export interface SealedCheck {
  readonly value: string
  readonly provider: string
  /** The checks of the sign-in. The callback requires all of them. */
  readonly checks?: readonly string[]
  /** Id of the user who was signed in at the start, if the identity may be linked to that user. */
  readonly user?: string
  /** Whether the form requested linking the identity to that user. */
  readonly isLink?: boolean
  /** `max_age` as sent, in seconds. */
  readonly maxAge?: number
  /** The scope of the sign-in request, if it replaced the configured one. */
  readonly scope?: string
}

/** Returns the cookie of a check. Parallel sign-ins have different suffixes. */
function cookieOf(check: Check, transaction: string, { cookieTable }: Visit): CookieTable[CookiePurpose] {
  const cookie = cookieTable[checkPurposes[check]]
  return { ...cookie, name: cookie.name + transaction }
}

/** The cookie of a check, which only the callback of its provider opens. */
export function checkCookie(
  check: Check,
  transaction: string,
  { responseMode }: OAuthSettings,
): SealedCookie<SealedCheck, 'provider'> {
  return sealedCookie<SealedCheck, 'provider'>({
    cookie: (visit) => {
      const cookie = cookieOf(check, transaction, visit)
      return responseMode === 'form_post' ? { name: cookie.name, options: forFormPost(cookie) } : cookie
    },
    maxAge: checkMaxAge,
    boundTo: ['provider'],
    read: readCheck,
  })
}

function readCheck(claims: Claims): SealedCheck | undefined {
  const { value, provider, checks, user, isLink, maxAge, scope } = claims
  if (typeof value !== 'string' || value === '' || typeof provider !== 'string') return undefined
  return {
    value,
    provider,
    checks: Array.isArray(checks) ? checks.filter((each) => typeof each === 'string') : undefined,
    user: typeof user === 'string' ? user : undefined,
    isLink: isLink === true,
    maxAge: typeof maxAge === 'number' ? maxAge : undefined,
    scope: typeof scope === 'string' ? scope : undefined,
  }
}

/** The state parameter. */
interface State {
  readonly random: string
  /** The callback URL of the host that started the sign-in, if a redirect proxy receives the response. */
  readonly origin?: string | undefined
}

/** Seals the state, so that a redirect proxy can tell which host a response is for. */
export const stateParameter = sealedText<State>({
  purpose: 'encodedState',
  maxAge: checkMaxAge,
  boundTo: [],
  read: ({ random, origin }) => ({
    random: String(random),
    origin: typeof origin === 'string' ? origin : undefined,
  }),
})

/** Clears the check cookies of a sign-in, whether or not it succeeded (decision 12). */
export function clearChecks(visit: Visit, transaction = ''): CookieChange[] {
  return allChecks
    .map((check) => cookieOf(check, transaction, visit))
    .filter(({ name }) => visit.cookies.names().some((held) => held === name || held.startsWith(`${name}.`)))
    .map((cookie) => clearCookie(cookie))
}

/** The number of earlier sign-ins that keep their checks. More would exceed the header limits of servers. */
const kept = 3

/**
 * The number of sign-ins whose cookies one response clears. A browser has more only if someone else has set them
 * (LM-11).
 */
const cleared = 4

const purposes = Object.values(checkPurposes)
const shape = /^(\.t[0-9a-f]{16})(?:\.\d)?$/

/**
 * Returns the suffix of a sign-in's check cookies, if sign-ins may run in parallel. It identifies the state without
 * revealing it. Never a number, because numbers name the chunks of a cookie.
 */
export async function nameTransaction(state: string): Promise<string> {
  return `.t${(await sha256Hex(state)).slice(0, 16)}`
}

/**
 * Returns the sign-ins that a new one replaces: the oldest, which browsers send first (RFC 6265 5.4). Only a few at a
 * time, so that a request with 500 cookies does not cause 500 Set-Cookie headers.
 */
export function findSurplus({ cookies, cookieTable }: Visit): readonly string[] {
  const held = cookies.names().flatMap((name) => {
    const purpose = purposes.find((each) => name.startsWith(cookieTable[each].name))
    const [, transaction] = shape.exec(purpose ? name.slice(cookieTable[purpose].name.length) : '') ?? []
    return transaction === undefined ? [] : [transaction]
  })
  return [...new Set(held)].slice(0, -kept).slice(0, cleared)
}
