import type { GivenId, OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { bearer, makeUser, oauth2, requestUser } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Trakt that the preset reads. */
export interface TraktUser extends ProviderProfile {
  username: string
  name?: string
  ids?: { slug: string; uuid?: string }
  images?: { avatar?: { full?: string } }
}

const me = 'https://api.trakt.tv/users/me?extended=full'

/**
 * Signs users in with Trakt.
 *
 * Register an application at https://trakt.tv/oauth/applications, with the redirect URI
 * `https://<host>/auth/callback/trakt`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: ids.slug, name, images.avatar.full.
 * Trakt provides no address.
 *
 * @see https://trakt.docs.apiary.io/#reference/authentication-oauth
 * @example providers: [Trakt({ clientId: '...', clientSecret: '...' })]
 */
export default function Trakt<P extends TraktUser = TraktUser, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'trakt', Id> {
  return oauth2(options, {
    id: 'trakt',
    name: 'Trakt',
    authorization: 'https://trakt.tv/oauth/authorize',
    token: 'https://api.trakt.tv/oauth/token',
    userinfo: {
      url: me,
      request({ tokens, provider }) {
        const key = { 'trakt-api-version': '2', 'trakt-api-key': provider.clientId ?? '' }
        return requestUser(provider, me, { headers: { ...bearer(tokens), ...key } })
      },
    } satisfies UserinfoEndpointHandler,
    [preset]: { scopeless: true },
    profile: ({ ids, name, images }) => makeUser({ id: ids?.slug, name, image: images?.avatar?.full }),
    style: { brandColor: '#ED2224', mark: marks.trakt },
  })
}
