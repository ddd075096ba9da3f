import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Duende IdentityServer 6's id_token, beside the standard ones. */
export interface DuendeISUser extends ProviderProfile {
  sub: string
  /** The identity provider that the server itself asked. */
  idp?: string
  amr?: readonly string[]
}

/**
 * Sign in with Duende IdentityServer 6.
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
export default function DuendeIdentityServer6<P extends DuendeISUser = DuendeISUser>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'duende-identity-server6',
    name: 'DuendeIdentityServer6',
  })
}
