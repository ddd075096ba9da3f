import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { joinTexts, makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Strava that the preset reads. */
export interface StravaProfile extends ProviderProfile {
  id: number
  firstname?: string
  lastname?: string
  /** A URL. */
  profile?: string
}

/**
 * Signs users in with Strava.
 *
 * Register an application at https://www.strava.com/settings/api, whose authorization callback domain is that of the
 * callback URL `https://<host>/auth/callback/strava`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, firstname and lastname, profile.
 * Strava provides no address.
 *
 * @see https://developers.strava.com/docs/authentication/
 * @example providers: [Strava({ clientId: '...', clientSecret: '...' })]
 */
export default function Strava<P extends StravaProfile = StravaProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'strava', Id> {
  return oauth2(options, {
    id: 'strava',
    name: 'Strava',
    authorization: {
      url: 'https://www.strava.com/api/v3/oauth/authorize',
      params: { scope: 'read', approval_prompt: 'auto' },
    },
    token: 'https://www.strava.com/api/v3/oauth/token',
    userinfo: 'https://www.strava.com/api/v3/athlete',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, firstname, lastname, profile: image }) =>
      makeUser({ id, name: joinTexts(firstname, lastname), image }),
    style: { brandColor: '#fc4c02', mark: marks.strava },
  })
}
