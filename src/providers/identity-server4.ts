import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of IdentityServer4's id_token, in addition to the standard ones. */
export interface IdentityServer4Profile extends ProviderProfile {
  sub: string
  /** The upstream identity provider. */
  idp?: string
  amr?: readonly string[]
}

/**
 * Signs users in with IdentityServer4.
 *
 * Register a client with the authorization code grant in the server's configuration, with the redirect URI
 * `https://<host>/auth/callback/identity-server4`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the server), and any of `OIDCUserConfig`.
 * Claims: sub, name, email, picture.
 *
 * @see https://identityserver4.readthedocs.io/en/latest/topics/clients.html
 * @example providers: [IdentityServer4({ clientId: '...', clientSecret: '...', issuer: 'https://id.example' })]
 */
export default function IdentityServer4<
  P extends IdentityServer4Profile = IdentityServer4Profile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'identity-server4', Id> {
  return openId(options, {
    id: 'identity-server4',
    name: 'IdentityServer4',
  })
}
