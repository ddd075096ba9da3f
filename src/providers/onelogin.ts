import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { issuerAt, openId } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** Claims of OneLogin's id_token, in addition to the standard ones. */
export interface OneLoginProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  groups?: readonly string[]
}

/**
 * Signs users in with OneLogin.
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
export default function OneLogin<
  P extends OneLoginProfile = OneLoginProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'onelogin', Id> {
  return openId(options, {
    id: 'onelogin',
    name: 'OneLogin',
    [preset]: { derive: issuerAt('/oidc/2') },
  })
}
