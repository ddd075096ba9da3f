import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, firstText, joinTexts, makeUser, oauth2 } from './base.ts'
import { preset, type Preset } from './preset.ts'

/** What Mattermost tells of the signed-in user, as far as it is used here. */
export interface MattermostProfile extends ProviderProfile {
  id: string
  username: string
  email: string
  first_name?: string
  last_name?: string
}

/**
 * Sign in with Mattermost.
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
export default function Mattermost<P extends MattermostProfile = MattermostProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
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
    style: { brandColor: '#000' },
  })
}
