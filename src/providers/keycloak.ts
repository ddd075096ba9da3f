import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of Keycloak's id_token, in addition to the standard ones. */
export interface KeycloakProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  /** The session at Keycloak. */
  sid?: string
}

/**
 * Signs users in with Keycloak.
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
export default function Keycloak<
  P extends KeycloakProfile = KeycloakProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'keycloak', Id> {
  return openId(options, {
    id: 'keycloak',
    name: 'Keycloak',
    style: { brandColor: '#428bca', mark: marks.keycloak },
  })
}
