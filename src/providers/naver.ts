import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Naver that the preset reads. */
export interface NaverProfile extends ProviderProfile {
  resultcode: string
  response?: { id: string; nickname?: string; email?: string; profile_image?: string; name?: string }
}

/**
 * Signs users in with Naver.
 *
 * Register an application at https://developers.naver.com/apps, with the callback URL
 * `https://<host>/auth/callback/naver`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, nickname, email and profile_image
 * of `response`.
 *
 * @see https://developers.naver.com/docs/login/api/api.md
 * @example providers: [Naver({ clientId: '...', clientSecret: '...' })]
 */
export default function Naver<P extends NaverProfile = NaverProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'naver', Id> {
  return oauth2(options, {
    id: 'naver',
    name: 'Naver',
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    token: 'https://nid.naver.com/oauth2.0/token',
    userinfo: 'https://openapi.naver.com/v1/nid/me',
    [preset]: { scopeless: true },
    profile: ({ response }) => {
      const { id, nickname: name, email, profile_image: image } = response ?? {}
      return makeUser({ id, name, email, image })
    },
    style: { brandColor: '#03c75a', mark: marks.naver },
  })
}
