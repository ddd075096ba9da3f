import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from './base.ts'
import type { Preset } from './preset.ts'

/** What osu! tells of the signed-in user, as far as it is used here. */
export interface OsuProfile extends ProviderProfile {
  id: number
  username: string
  avatar_url: string
  country_code?: string
}

/**
 * Sign in with osu!.
 *
 * Register an OAuth application at https://osu.ppy.sh/home/account/edit, with the callback URL
 * `https://<host>/auth/callback/osu`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, username, avatar_url. osu! gives no
 * address.
 *
 * @see https://osu.ppy.sh/docs/index.html#authorization-code-grant
 * @example providers: [Osu({ clientId: '...', clientSecret: '...' })]
 */
export default function Osu<P extends OsuProfile = OsuProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
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
