import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, issuerAt, makeUser, openId } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** Claims of Asgardeo's id_token, in addition to the standard ones. */
export interface AsgardeoProfile extends ProviderProfile {
  sub: string
  username?: string
  given_name?: string
  family_name?: string
  org_id?: string
  org_name?: string
}

/**
 * Signs users in with Asgardeo.
 *
 * Register a web application at https://console.asgardeo.io, with the authorized redirect URL
 * `https://<host>/auth/callback/asgardeo`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://api.asgardeo.io/t/<organization>`, with or
 * without `/oauth2/token` behind it), and any of `OIDCUserConfig`. Claims: sub, name (else username), email,
 * picture. Select the claims under "User attributes" of the application.
 *
 * @see https://wso2.com/asgardeo/docs/guides/authentication/oidc/
 * @example providers: [Asgardeo({ clientId: '...', clientSecret: '...', issuer: 'https://api.asgardeo.io/t/example' })]
 */
export default function Asgardeo<
  P extends AsgardeoProfile = AsgardeoProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'asgardeo', Id> {
  return openId(options, {
    id: 'asgardeo',
    name: 'Asgardeo',
    [preset]: { derive: issuerAt('/oauth2/token') },
    profile: ({ sub: id, name, username, email, picture: image }) =>
      makeUser({ id, name: firstText(name, username), email, image }),
    style: { brandColor: '#000' },
  })
}
