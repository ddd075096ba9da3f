import type { AuthorizationServer } from 'oauth4webapi'
import type { Check, OAuthSettings } from '../config/settings.ts'
import { randomText } from '../crypto/random.ts'
import type { Platform } from '../types/config.ts'

/** Values that bind an authorization response to the browser that asked for it; one for each check. */
export interface CheckValues {
  readonly state?: string
  readonly codeVerifier?: string
  readonly nonce?: string
}

/** In the order in which their cookies are set. */
const order: readonly Check[] = ['state', 'pkce', 'nonce']

/**
 * The checks of a sign-in: what is configured, and `state` where nothing proves that the server heeds PKCE with S256,
 * where it is asked for (by way of the redirect proxy, or to tell sign-ins apart), or where no other check works (decision 6; RFC 9700 2.1.1).
 * None at all with `checks: ['none']`.
 *
 * @param server metadata as discovered for the authorization endpoint, at the callback too
 */
export function effectiveChecks(
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

/** Fresh values, each of 32 random bytes as 43 characters of base64url (RFC 7636 4.1). */
export function mintChecks(checks: readonly Check[], { randomBytes }: Platform): CheckValues {
  const mint = (check: Check) => (checks.includes(check) ? randomText(randomBytes) : undefined)
  return { state: mint('state'), codeVerifier: mint('pkce'), nonce: mint('nonce') }
}
