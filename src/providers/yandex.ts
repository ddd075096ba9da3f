import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from '../provider-base/base.ts'
import { type Preset, readText } from '../provider-base/preset.ts'

/** The user data of Yandex that the preset reads. */
export interface YandexProfile extends ProviderProfile {
  id: string
  login: string
  display_name?: string
  real_name?: string | null
  first_name?: string | null
  default_email?: string
  emails?: readonly string[]
  default_avatar_id?: string
  is_avatar_empty?: boolean
}

/**
 * Signs users in with Yandex.
 *
 * Register an application at https://oauth.yandex.com, with the redirect URI `https://<host>/auth/callback/yandex`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, display_name (else real_name, else
 * first_name), default_email (else the first of emails), default_avatar_id.
 *
 * @see https://yandex.com/dev/id/doc/en/
 * @example providers: [Yandex({ clientId: '...', clientSecret: '...' })]
 */
export default function Yandex<P extends YandexProfile = YandexProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'yandex', Id> {
  return oauth2(options, {
    id: 'yandex',
    name: 'Yandex',
    authorization: {
      url: 'https://oauth.yandex.ru/authorize',
      params: { scope: 'login:info login:email login:avatar' },
    },
    token: 'https://oauth.yandex.ru/token',
    userinfo: 'https://login.yandex.ru/info?format=json',
    profile: toUser,
    style: { brandColor: '#ffcc00' },
  })
}

function toUser(profile: YandexProfile): User {
  const { id, display_name, real_name, first_name, default_email, emails } = profile
  const avatar = profile.is_avatar_empty === true ? undefined : readText(profile.default_avatar_id)
  return makeUser({
    id,
    name: firstText(display_name, real_name, first_name),
    email: firstText(default_email, emails?.[0]),
    image: avatar && `https://avatars.yandex.net/get-yapic/${avatar}/islands-200`,
  })
}
