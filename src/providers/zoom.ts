import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { joinTexts, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Zoom that the preset reads. */
export interface ZoomProfile extends ProviderProfile {
  id: string
  first_name: string
  last_name?: string
  display_name?: string
  email: string
  /** 1 if the address is verified. */
  verified?: number
  pic_url?: string
}

/**
 * Signs users in with Zoom.
 *
 * Register an OAuth app at https://marketplace.zoom.us/develop/create, with the OAuth redirect URL
 * `https://<host>/auth/callback/zoom`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, first_name and last_name, email,
 * pic_url.
 *
 * @see https://developers.zoom.us/docs/integrations/oauth/
 * @example providers: [Zoom({ clientId: '...', clientSecret: '...' })]
 */
export default function Zoom<P extends ZoomProfile = ZoomProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'zoom', Id> {
  return oauth2(options, {
    id: 'zoom',
    name: 'Zoom',
    authorization: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    userinfo: 'https://api.zoom.us/v2/users/me',
    [preset]: {
      scopeless: true,
      complete: (profile) => ({ ...profile, email_verified: profile.verified === 1 }),
    },
    profile: ({ id, first_name: first, last_name: last, email, pic_url: image }) =>
      makeUser({ id, name: joinTexts(first, last), email, image }),
    style: { brandColor: '#0b5cff', mark: marks.zoom },
  })
}
