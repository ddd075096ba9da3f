import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, oauth2, repairTokens } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of Mail.ru that the preset reads. */
export interface MailruProfile extends ProviderProfile {
  id: string
  name?: string
  nickname?: string
  email: string
  image?: string
}

/**
 * Signs users in with Mail.ru.
 *
 * Register an application at https://o2.mail.ru/app, with the redirect URI `https://<host>/auth/callback/mailru`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name (else nickname), email, image.
 *
 * @see https://id.vk.com/about/business/go/docs/ru/vkid/archive/mailru-oauth
 * @example providers: [Mailru({ clientId: '...', clientSecret: '...' })]
 */
export default function Mailru<P extends MailruProfile = MailruProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'mailru', Id> {
  return oauth2(options, {
    id: 'mailru',
    name: 'Mail.ru',
    authorization: { url: 'https://oauth.mail.ru/login', params: { scope: 'userinfo' } },
    token: { url: 'https://oauth.mail.ru/token', conform: repairTokens },
    userinfo: 'https://oauth.mail.ru/userinfo',
    profile: ({ id, name, nickname, email, image }) =>
      makeUser({ id, name: firstText(name, nickname), email, image }),
    style: { brandColor: '#005ff9' },
  })
}
