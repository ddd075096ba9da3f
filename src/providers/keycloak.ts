import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Keycloak's id_token, beside the standard ones. */
export interface KeycloakProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  /** Session at Keycloak. */
  sid?: string
}

/**
 * Sign in with Keycloak.
 *
 * Register an OpenID Connect client with client authentication and the standard flow in the realm's console, with the
 * valid redirect URI `https://<host>/auth/callback/keycloak`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required, with the realm: `https://<host>/realms/<realm>`), and any of
 * `OIDCUserConfig`. Claims: sub, name (else preferred_username), email, picture.
 *
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 * @example providers: [Keycloak({ clientId: '...', clientSecret: '...', issuer: 'https://id.example/realms/main' })]
 */
export default function Keycloak<P extends KeycloakProfile = KeycloakProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'keycloak',
    name: 'Keycloak',
    style: { brandColor: '#428bca' },
  })
}
