import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Hydra's id_token, in addition to the standard ones. */
export interface OryHydraProfile extends ProviderProfile {
  sub: string
  sid?: string
  acr?: string
}

/**
 * Signs users in with Ory Hydra, or the Ory Network.
 *
 * Register an OAuth 2.0 client with `hydra create oauth2-client` or at https://console.ory.sh, with the redirect URI
 * `https://<host>/auth/callback/hydra`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the public URL of the server), and any of
 * `OIDCUserConfig`. Variables are named after the id: `AUTH_HYDRA_ID`. Claims: sub, name, email, picture.
 *
 * @see https://www.ory.sh/docs/hydra/guides/oauth2-clients
 * @example providers: [OryHydra({ clientId: '...', clientSecret: '...', issuer: 'https://example.projects.oryapis.com' })]
 */
export default function OryHydra<
  P extends OryHydraProfile = OryHydraProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'hydra', Id> {
  return openId(options, {
    id: 'hydra',
    name: 'Hydra',
    style: { brandColor: '#fff' },
  })
}
