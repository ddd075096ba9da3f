import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { issuerWithSlash, openId } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of Authentik's id_token, in addition to the standard ones. */
export interface AuthentikProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  groups?: readonly string[]
}

/**
 * Signs users in with Authentik.
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
export default function Authentik<
  P extends AuthentikProfile = AuthentikProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'authentik', Id> {
  return openId(options, {
    id: 'authentik',
    name: 'Authentik',
    [preset]: { derive: issuerWithSlash },
    style: { brandColor: '#fd4b2d', mark: marks.authentik },
  })
}
