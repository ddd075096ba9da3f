import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of Webex that the preset reads. */
export interface WebexProfile extends ProviderProfile {
  id: string
  displayName?: string
  emails?: readonly string[]
  avatar?: string
  orgId?: string
}

/**
 * Signs users in with Webex.
 *
 * Register an integration at https://developer.webex.com/my-apps, with the redirect URI
 * `https://<host>/auth/callback/webex`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, displayName, the first of emails,
 * avatar.
 *
 * @see https://developer.webex.com/docs/integrations
 * @example providers: [Webex({ clientId: '...', clientSecret: '...' })]
 */
export default function Webex<P extends WebexProfile = WebexProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'webex', Id> {
  return oauth2(options, {
    id: 'webex',
    name: 'Webex',
    authorization: {
      url: 'https://webexapis.com/v1/authorize',
      params: { scope: 'spark:kms spark:people_read' },
    },
    token: 'https://webexapis.com/v1/access_token',
    userinfo: 'https://webexapis.com/v1/people/me',
    profile: ({ id, displayName: name, emails, avatar: image }) =>
      makeUser({ id, name, email: emails?.[0], image }),
  })
}
