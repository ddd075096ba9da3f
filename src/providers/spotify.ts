import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { listOf, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Spotify that the preset reads. */
export interface SpotifyProfile extends ProviderProfile {
  id: string
  display_name: string | null
  email?: string
  images?: readonly { url: string }[]
}

/**
 * Signs users in with Spotify.
 *
 * Register an app at https://developer.spotify.com/dashboard, with the redirect URI
 * `https://<host>/auth/callback/spotify`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, display_name, email, the first of
 * images. Spotify does not verify addresses, so new users have none unless you set `storeUnverifiedEmail`, and
 * `allowDangerousEmailAccountLinking` never links by them.
 *
 * @see https://developer.spotify.com/documentation/web-api/tutorials/code-flow
 * @example providers: [Spotify({ clientId: '...', clientSecret: '...' })]
 */
export default function Spotify<
  P extends SpotifyProfile = SpotifyProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'spotify', Id> {
  return oauth2(options, {
    id: 'spotify',
    name: 'Spotify',
    authorization: { url: 'https://accounts.spotify.com/authorize', params: { scope: 'user-read-email' } },
    token: 'https://accounts.spotify.com/api/token',
    userinfo: 'https://api.spotify.com/v1/me',
    // "This email address is unverified" (Web API reference, Get Current User's Profile).
    [preset]: { complete: (profile) => ({ ...profile, email_verified: false }) },
    profile: ({ id, display_name: name, email, images }) =>
      makeUser({ id, name, email, image: listOf(images)[0]?.url }),
    style: { brandColor: '#1db954', mark: marks.spotify },
  })
}
