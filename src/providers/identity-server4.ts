import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of IdentityServer4's id_token, beside the standard ones. */
export interface IdentityServer4Profile extends ProviderProfile {
  sub: string
  /** The identity provider that the server itself asked. */
  idp?: string
  amr?: readonly string[]
}

/**
 * Sign in with IdentityServer4.
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
export default function IdentityServer4<P extends IdentityServer4Profile = IdentityServer4Profile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'identity-server4',
    name: 'IdentityServer4',
  })
}
