import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { issuerAt, openId } from './base.ts'
import { preset, type Preset } from './preset.ts'

/** Claims of OneLogin's id_token, beside the standard ones. */
export interface OneLoginProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  groups?: readonly string[]
}

/**
 * Sign in with OneLogin.
 *
 * Register an OpenID Connect application in the administration, with the redirect URI
 * `https://<host>/auth/callback/onelogin`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://<subdomain>.onelogin.com`, with or without
 * `/oidc/2` behind it), and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://developers.onelogin.com/openid-connect
 * @example providers: [OneLogin({ clientId: '...', clientSecret: '...', issuer: 'https://example.onelogin.com' })]
 */
export default function OneLogin<P extends OneLoginProfile = OneLoginProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'onelogin',
    name: 'OneLogin',
    [preset]: { derive: issuerAt('/oidc/2') },
  })
}
