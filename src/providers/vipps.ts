import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Vipps's id_token, in addition to the standard ones. */
export interface VippsProfile extends ProviderProfile {
  sub: string
  phone_number?: string
  birthdate?: string
  sid?: string
}

/**
 * Signs users in with Vipps.
 *
 * Register a sales unit with Login at https://portal.vippsmobilepay.com, with the redirect URI
 * `https://<host>/auth/callback/vipps`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (of the test environment:
 * `https://apitest.vipps.no/access-management-1.0/access/`), and any of `OIDCUserConfig`. Claims: sub, name, email,
 * of the userinfo endpoint. Vipps provides no picture.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 * @example providers: [Vipps({ clientId: '...', clientSecret: '...' })]
 */
export default function Vipps<P extends VippsProfile = VippsProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'vipps', Id> {
  return openId(options, {
    id: 'vipps',
    name: 'Vipps',
    issuer: 'https://api.vipps.no/access-management-1.0/access/',
    authorization: { params: { scope: 'openid name email' } },
    checks: ['pkce', 'state', 'nonce'],
    idToken: false,
    style: { brandColor: '#f05c18' },
  })
}
