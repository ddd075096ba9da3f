import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Passage's id_token, in addition to the standard ones. */
export interface PassageProfile extends ProviderProfile {
  sub: string
  email_verified?: boolean
  phone_number?: string
}

/**
 * Signs users in with Passage.
 *
 * Register an OIDC application at https://console.passage.id, with the redirect URL
 * `https://<host>/auth/callback/passage`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://<subdomain>.withpassage.com`), and any of
 * `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://docs.passage.id
 * @example providers: [Passage({ clientId: '...', clientSecret: '...', issuer: 'https://example.withpassage.com' })]
 */
export default function Passage<
  P extends PassageProfile = PassageProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'passage', Id> {
  return openId(options, {
    id: 'passage',
    name: 'Passage',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: { brandColor: '#3d53f6' },
  })
}
