import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of Okta's id_token, in addition to the standard ones. */
export interface OktaProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  groups?: readonly string[]
  ver?: number
  amr?: readonly string[]
}

/**
 * Signs users in with Okta.
 *
 * Register a web application with OpenID Connect in the admin console, with the sign-in redirect URI
 * `https://<host>/auth/callback/okta`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://<organization>.okta.com`, or that of an
 * authorization server there), and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://developer.okta.com/docs/guides/implement-grant-type/authcode/main/
 * @example providers: [Okta({ clientId: '...', clientSecret: '...', issuer: 'https://example.okta.com' })]
 */
export default function Okta<P extends OktaProfile = OktaProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'okta', Id> {
  return openId(options, {
    id: 'okta',
    name: 'Okta',
    checks: ['pkce', 'state'],
    style: { brandColor: '#000', mark: marks.okta },
  })
}
