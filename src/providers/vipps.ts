import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Vipps's id_token, beside the standard ones. */
export interface VippsProfile extends ProviderProfile {
  sub: string
  phone_number?: string
  birthdate?: string
  sid?: string
}

/**
 * Sign in with Vipps.
 *
 * Register a sales unit with Login at https://portal.vippsmobilepay.com, with the redirect URI
 * `https://<host>/auth/callback/vipps`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (of the test environment:
 * `https://apitest.vipps.no/access-management-1.0/access/`), and any of `OIDCUserConfig`. Claims: sub, name, email,
 * of the userinfo endpoint. Vipps gives no picture.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 * @example providers: [Vipps({ clientId: '...', clientSecret: '...' })]
 */
export default function Vipps<P extends VippsProfile = VippsProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
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
