import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2, readMember } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** The user data of Kakao that the preset reads. */
export interface KakaoProfile extends ProviderProfile {
  id: number
  kakao_account?: {
    email?: string
    /** May be false although the address was verified once. */
    is_email_valid?: boolean
    is_email_verified?: boolean
    profile?: { nickname?: string; profile_image_url?: string }
  }
}

/**
 * Signs users in with Kakao.
 *
 * Register an app with Kakao Login at https://developers.kakao.com, with the redirect URI
 * `https://<host>/auth/callback/kakao`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id; of kakao_account: profile.nickname,
 * email, profile.profile_image_url, as far as the user consents.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 * @example providers: [Kakao({ clientId: '...', clientSecret: '...' })]
 */
export default function Kakao<P extends KakaoProfile = KakaoProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'kakao', Id> {
  return oauth2(options, {
    id: 'kakao',
    name: 'Kakao',
    authorization: 'https://kauth.kakao.com/oauth/authorize',
    token: 'https://kauth.kakao.com/oauth/token',
    userinfo: 'https://kapi.kakao.com/v2/user/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    [preset]: {
      scopeless: true,
      complete: (profile) => ({
        ...profile,
        email_verified: ['is_email_valid', 'is_email_verified'].every(
          (flag) => readMember(profile, 'kakao_account', flag) === true,
        ),
      }),
    },
    profile: ({ id, kakao_account: account }) => {
      const { nickname: name, profile_image_url: image } = account?.profile ?? {}
      return makeUser({ id, name, email: account?.email, image })
    },
    style: { brandColor: '#fee500' },
  })
}
