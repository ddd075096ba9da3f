import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of osu! that the preset reads. */
export interface OsuProfile extends ProviderProfile {
  id: number
  username: string
  avatar_url: string
  country_code?: string
}

/**
 * Signs users in with osu!.
 *
 * Register an OAuth application at https://osu.ppy.sh/home/account/edit, with the callback URL
 * `https://<host>/auth/callback/osu`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, username, avatar_url. osu! provides no address.
 *
 * @see https://osu.ppy.sh/docs/index.html#authorization-code-grant
 * @example providers: [Osu({ clientId: '...', clientSecret: '...' })]
 */
export default function Osu<P extends OsuProfile = OsuProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'osu', Id> {
  return oauth2(options, {
    id: 'osu',
    name: 'osu!',
    authorization: { url: 'https://osu.ppy.sh/oauth/authorize', params: { scope: 'identify' } },
    token: 'https://osu.ppy.sh/oauth/token',
    userinfo: 'https://osu.ppy.sh/api/v2/me',
    profile: ({ id, username: name, avatar_url: image }) => makeUser({ id, name, image }),
    style: { brandColor: '#ff66aa' },
  })
}
