import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Duende IdentityServer 6's id_token, in addition to the standard ones. */
export interface DuendeISUser extends ProviderProfile {
  sub: string
  /** The upstream identity provider. */
  idp?: string
  amr?: readonly string[]
}

/**
 * Signs users in with Duende IdentityServer 6.
 *
 * Register a client with the authorization code grant in the server's configuration, with the redirect URI
 * `https://<host>/auth/callback/duende-identity-server6`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the server), and any of `OIDCUserConfig`.
 * Claims: sub, name, email, picture.
 *
 * @see https://docs.duendesoftware.com/identityserver/fundamentals/clients/
 * @example providers: [DuendeIdentityServer6({ clientId: '...', clientSecret: '...', issuer: 'https://id.example' })]
 */
export default function DuendeIdentityServer6<
  P extends DuendeISUser = DuendeISUser,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'duende-identity-server6', Id> {
  return openId(options, {
    id: 'duende-identity-server6',
    name: 'DuendeIdentityServer6',
  })
}
