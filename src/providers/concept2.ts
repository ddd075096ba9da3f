import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of Concept2 that the preset reads. */
export interface Concept2Profile extends ProviderProfile {
  data?: { id: number; username: string; email: string; profile_image?: string | null }
}

/**
 * Signs users in with Concept2.
 *
 * Register an application at https://log.concept2.com/developers/keys, with the redirect URI
 * `https://<host>/auth/callback/concept2`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, username, email and profile_image
 * of `data`.
 *
 * @see https://log.concept2.com/developers/documentation/
 * @example providers: [Concept2({ clientId: '...', clientSecret: '...' })]
 */
export default function Concept2<
  P extends Concept2Profile = Concept2Profile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'concept2', Id> {
  return oauth2(options, {
    id: 'concept2',
    name: 'Concept2',
    authorization: {
      url: 'https://log.concept2.com/oauth/authorize',
      params: { scope: 'user:read,results:write' },
    },
    token: 'https://log.concept2.com/oauth/access_token',
    userinfo: 'https://log.concept2.com/api/users/me',
    profile: ({ data }) =>
      makeUser({ id: data?.id, name: data?.username, email: data?.email, image: data?.profile_image }),
    style: { brandColor: '#00468c' },
  })
}
