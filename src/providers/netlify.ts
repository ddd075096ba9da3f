import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Netlify that the preset reads. */
export interface NetlifyProfile extends ProviderProfile {
  id: string
  full_name: string | null
  email: string
  avatar_url: string | null
}

/**
 * Signs users in with Netlify.
 *
 * Register an OAuth application at https://app.netlify.com/user/applications, with the redirect URI
 * `https://<host>/auth/callback/netlify`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, full_name, email, avatar_url.
 *
 * @see https://docs.netlify.com/api/get-started/#authentication
 * @example providers: [Netlify({ clientId: '...', clientSecret: '...' })]
 */
export default function Netlify<
  P extends NetlifyProfile = NetlifyProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'netlify', Id> {
  return oauth2(options, {
    id: 'netlify',
    name: 'Netlify',
    authorization: 'https://app.netlify.com/authorize',
    token: 'https://api.netlify.com/oauth/token',
    userinfo: 'https://api.netlify.com/api/v1/user',
    [preset]: { scopeless: true },
    profile: ({ id, full_name: name, email, avatar_url: image }) => makeUser({ id, name, email, image }),
    style: { brandColor: '#32e6e2', mark: marks.netlify },
  })
}
