import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, firstText, joinTexts, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Mattermost that the preset reads. */
export interface MattermostProfile extends ProviderProfile {
  id: string
  username: string
  email: string
  first_name?: string
  last_name?: string
}

/**
 * Signs users in with Mattermost.
 *
 * Register an OAuth 2.0 application in the integrations of the server, with the callback URL
 * `https://<host>/auth/callback/mattermost`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the server), and any of `OAuthUserConfig`.
 * Claims: id, username (else first_name and last_name), email.
 *
 * @see https://developers.mattermost.com/integrate/apps/authentication/oauth2/
 * @example providers: [Mattermost({ clientId: '...', clientSecret: '...', issuer: 'https://chat.example' })]
 */
export default function Mattermost<
  P extends MattermostProfile = MattermostProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'mattermost', Id> {
  return oauth2(options, {
    id: 'mattermost',
    name: 'Mattermost',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    [preset]: {
      scopeless: true,
      derive: belowIssuer((root) => ({
        authorization: `${root}/oauth/authorize`,
        token: `${root}/oauth/access_token`,
        userinfo: `${root}/api/v4/users/me`,
      })),
    },
    profile: ({ id, username, first_name: first, last_name: last, email }) =>
      makeUser({ id, name: firstText(username, joinTexts(first, last)), email }),
    style: { brandColor: '#000', mark: marks.mattermost },
  })
}
