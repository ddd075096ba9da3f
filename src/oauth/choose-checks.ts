import type { AuthorizationServer } from 'oauth4webapi'
import type { Check, OAuthSettings } from '../config/settings.ts'
import { randomText } from '../crypto/random.ts'
import type { Platform } from '../types/config.ts'

/** Values that bind an authorization response to the browser, one for each check. */
export interface CheckValues {
  readonly state?: string
  readonly codeVerifier?: string
  readonly nonce?: string
  /** `max_age` as sent, in seconds. */
  readonly maxAge?: number
}

/** In the order in which their cookies are set. */
const order: readonly Check[] = ['state', 'pkce', 'nonce']

/**
 * Returns the checks of a sign-in: the configured ones, and `state` if the server may ignore PKCE with S256, if `state`
 * is needed (for the redirect proxy or parallel sign-ins), or if no other check works (decision 6; RFC 9700 2.1.1).
 * Returns none with `checks: ['none']`.
 *
 * @param server metadata as discovered for the authorization endpoint, both at the sign-in and at the callback
 */
export function chooseChecks(
  { checks, checksDisabled, type }: Pick<OAuthSettings, 'checks' | 'checksDisabled' | 'type'>,
  server: Pick<AuthorizationServer, 'code_challenge_methods_supported'>,
  wantsState: boolean,
): readonly Check[] {
  if (checksDisabled) return []
  const hasS256 = server.code_challenge_methods_supported?.includes('S256') === true
  const isBound = checks.includes('pkce') || (checks.includes('nonce') && type === 'oidc')
  const needsState = wantsState || !hasS256 || !isBound
  return order.filter((check) => checks.includes(check) || (check === 'state' && needsState))
}

/** Creates new values, each 32 random bytes as 43 characters of base64url (RFC 7636 4.1). */
export function mintCheckValues(checks: readonly Check[], { randomBytes }: Platform): CheckValues {
  const mint = (check: Check) => (checks.includes(check) ? randomText(randomBytes) : undefined)
  return { state: mint('state'), codeVerifier: mint('pkce'), nonce: mint('nonce') }
}

/**
 * Returns the `max_age` of a sign-in in seconds: the configured one, or a smaller one that the request asks for. A request
 * must not weaken the requirement of the site.
 *
 * @param parameters the parameters of the sign-in request
 */
export function chooseMaxAge(provider: OAuthSettings, parameters?: URLSearchParams): number | undefined {
  const ages = [...configuredAges(provider), ...(parameters?.getAll('max_age') ?? [])].filter((age) =>
    /^\d{1,9}$/.test(age),
  )
  return ages.length > 0 ? Math.min(...ages.map(Number)) : undefined
}

function configuredAges({ authorization: { url, params } }: OAuthSettings): readonly string[] {
  if (params.max_age !== undefined) return [params.max_age]
  return url === undefined ? [] : new URL(url).searchParams.getAll('max_age')
}
