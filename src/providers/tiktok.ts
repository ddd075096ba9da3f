import type { GivenId, OAuth2Config, OAuthUserConfig, TokenEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import { fetchOf, preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of TikTok that the preset reads. */
export interface TikTokProfile extends ProviderProfile {
  data?: {
    /** `open_id` is specific to this app. */
    user?: { open_id: string; union_id?: string; display_name: string; avatar_url: string }
  }
}

/** Alias of {@link TikTokProfile}, as in Auth.js. */
export type TiktokProfile = TikTokProfile

const tokenEndpoint = 'https://open.tiktokapis.com/v2/oauth/token/'

/**
 * Signs users in with TikTok.
 *
 * Register an app with Login Kit for web at https://developers.tiktok.com/apps, with the redirect URI
 * `https://<host>/auth/callback/tiktok`. TikTok takes https only, for localhost too. The client id is the client
 * key.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: open_id, display_name and avatar_url of
 * `data.user`. TikTok provides no address.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web
 * @example providers: [TikTok({ clientId: '...', clientSecret: '...' })]
 */
export default function TikTok<P extends TikTokProfile = TikTokProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'tiktok', Id> {
  return oauth2(options, {
    id: 'tiktok',
    name: 'TikTok',
    authorization: { url: 'https://www.tiktok.com/v2/auth/authorize', params: { scope: 'user.info.basic' } },
    token: {
      url: tokenEndpoint,
      // TikTok calls the client id `client_key`, and requires exactly this content type.
      request({ params, provider }) {
        const body = new URLSearchParams(params)
        body.set('client_key', provider.clientId ?? '')
        body.set('client_secret', provider.clientSecret ?? '')
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        return fetchOf(provider)(tokenEndpoint, { method: 'POST', headers, body, redirect: 'manual' })
      },
    } satisfies TokenEndpointHandler,
    userinfo: {
      url: 'https://open.tiktokapis.com/v2/user/info/',
      params: { fields: 'open_id,avatar_url,display_name' },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    [preset]: { derive: ({ clientId }) => ({ authorization: { params: { client_key: clientId } } }) },
    profile: ({ data }) => {
      const { open_id: id, display_name: name, avatar_url: image } = data?.user ?? {}
      return makeUser({ id, name, image })
    },
    style: { brandColor: '#000', mark: marks.tiktok },
  })
}
