import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Atlassian that the preset reads. */
export interface AtlassianProfile extends ProviderProfile {
  account_id: string
  name: string
  email: string
  /** A URL. */
  picture: string
  account_status?: string
}

/**
 * Signs users in with Atlassian.
 *
 * Register an OAuth 2.0 integration at https://developer.atlassian.com/console/myapps with the User identity API,
 * and with the callback URL `https://<host>/auth/callback/atlassian`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: account_id, name, email, picture.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 * @example providers: [Atlassian({ clientId: '...', clientSecret: '...' })]
 */
export default function Atlassian<
  P extends AtlassianProfile = AtlassianProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'atlassian', Id> {
  return oauth2(options, {
    id: 'atlassian',
    name: 'Atlassian',
    authorization: {
      url: 'https://auth.atlassian.com/authorize',
      params: { audience: 'api.atlassian.com', scope: 'read:me' },
    },
    token: 'https://auth.atlassian.com/oauth/token',
    userinfo: 'https://api.atlassian.com/me',
    checks: ['state'],
    profile: ({ account_id: id, name, email, picture: image }) => makeUser({ id, name, email, image }),
    style: { brandColor: '#fff', mark: marks.atlassian },
  })
}
