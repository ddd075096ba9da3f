import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { issuerWithSlash, openId } from './base.ts'
import { preset, type Preset } from './preset.ts'

/** Claims of Authentik's id_token, beside the standard ones. */
export interface AuthentikProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  groups?: readonly string[]
}

/**
 * Sign in with Authentik.
 *
 * Register an OAuth2/OpenID provider and an application in authentik's admin interface, with the redirect URI
 * `https://<host>/auth/callback/authentik`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://<host>/application/o/<application slug>/`), and
 * any of `OIDCUserConfig`. Claims: sub, name (else preferred_username), email, picture.
 *
 * @see https://docs.goauthentik.io/add-secure-apps/providers/oauth2/
 * @example providers: [Authentik({ clientId: '...', clientSecret: '...', issuer: 'https://id.example/application/o/app/' })]
 */
export default function Authentik<P extends AuthentikProfile = AuthentikProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'authentik',
    name: 'Authentik',
    [preset]: { derive: issuerWithSlash },
    style: { brandColor: '#fd4b2d' },
  })
}
