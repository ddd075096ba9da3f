import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Logto's id_token, in addition to the standard ones. */
export interface LogtoProfile extends ProviderProfile {
  sub: string
  username?: string
  roles?: readonly string[]
  organizations?: readonly string[]
}

/**
 * Signs users in with Logto.
 *
 * Register a traditional web application in the console, at https://cloud.logto.io or your own, with the redirect
 * URI `https://<host>/auth/callback/logto`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://<tenant>.logto.app/oidc`), and any of
 * `OIDCUserConfig`. Claims: sub, name (else username), email, picture.
 *
 * @see https://docs.logto.io/quick-starts/traditional
 * @example providers: [Logto({ clientId: '...', clientSecret: '...', issuer: 'https://example.logto.app/oidc' })]
 */
export default function Logto<P extends LogtoProfile = LogtoProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'logto', Id> {
  return openId(options, {
    id: 'logto',
    name: 'Logto',
    authorization: { params: { scope: 'offline_access openid email profile' } },
    profile: ({ sub: id, name, username, email, picture: image }) =>
      makeUser({ id, name: firstText(name, username), email, image }),
    style: { brandColor: '#5d34f2' },
  })
}
