import type { GivenId, OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile, TokenSet } from '../types/records.ts'
import { joinTexts, makeUser, oauth2, readMember, repairTokens, requestUser } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of VK that the preset reads. */
export interface VkProfile extends ProviderProfile {
  id: number
  first_name: string
  last_name: string
  photo_100?: string
  /** From the token response, if the user shares it. */
  email?: string
}

/** VK sends the address with the access token. */
interface VkTokens extends TokenSet {
  email?: string
}

const version = '5.131'
const users = 'https://api.vk.com/method/users.get'

/**
 * Signs users in with VK.
 *
 * Register a website at https://vk.com/apps?act=manage, with the authorized redirect URI
 * `https://<host>/auth/callback/vk`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, first_name and last_name,
 * photo_100; the email comes with the tokens.
 *
 * @see https://dev.vk.com/en/api/access-token/authcode-flow-user
 * @example providers: [VK({ clientId: '...', clientSecret: '...' })]
 */
export default function VK<P extends VkProfile = VkProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'vk', Id> {
  return oauth2(options, {
    id: 'vk',
    name: 'VK',
    authorization: {
      url: 'https://oauth.vk.com/authorize',
      params: { scope: 'email', v: version },
    },
    token: { url: `https://oauth.vk.com/access_token?v=${version}`, conform: repairTokens },
    userinfo: {
      url: users,
      async request({ tokens, provider }) {
        const { access_token: token = '', email }: VkTokens = tokens
        const body = new URLSearchParams({ fields: 'photo_100', v: version, access_token: token })
        const answer = await requestUser(provider, users, { method: 'POST', body })
        const user = readMember(answer, 'response', '0')
        return typeof user === 'object' ? { ...user, email } : user
      },
    } satisfies UserinfoEndpointHandler,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, first_name: first, last_name: last, email, photo_100: image }) =>
      makeUser({ id, name: joinTexts(first, last), email, image }),
    style: { brandColor: '#07F', mark: marks.vk },
  })
}
