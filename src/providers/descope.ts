import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { encodePath, openId } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** Claims of Descope's id_token, in addition to the standard ones. */
export interface DescopeProfile extends ProviderProfile {
  sub: string
  amr?: readonly string[]
  drn?: string
}

/**
 * Signs users in with Descope.
 *
 * Register a federated application at https://app.descope.com/applications, with the callback URL
 * `https://<host>/auth/callback/descope`. The client id is that of the project.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (default: `https://api.descope.com/<clientId>`), and any of
 * `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://docs.descope.com/identity-federation/applications/oidc-apps
 * @example providers: [Descope({ clientId: '...', clientSecret: '...' })]
 */
export default function Descope<
  P extends DescopeProfile = DescopeProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'descope', Id> {
  return openId(options, {
    id: 'descope',
    name: 'Descope',
    checks: ['pkce', 'state'],
    [preset]: {
      derive: ({ clientId }) =>
        clientId === undefined ? {} : { issuer: `https://api.descope.com/${encodePath(clientId)}` },
    },
    style: { brandColor: '#1C1C23' },
  })
}
