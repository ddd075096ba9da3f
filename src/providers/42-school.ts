import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of 42 School that the preset reads. */
export interface FortyTwoProfile extends ProviderProfile {
  id: number
  login: string
  email: string
  usual_full_name: string
  /** Missing if there is no photo. */
  image?: { link?: string | null }
}

/**
 * Signs users in with 42 School.
 *
 * Register an application at https://profile.intra.42.fr/oauth/applications, with the redirect URI
 * `https://<host>/auth/callback/42-school`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, usual_full_name, email, image.link.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @example providers: [FortyTwo({ clientId: '...', clientSecret: '...' })]
 */
export default function FortyTwo<
  P extends FortyTwoProfile = FortyTwoProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, '42-school', Id> {
  return oauth2(options, {
    id: '42-school',
    name: '42 School',
    authorization: { url: 'https://api.intra.42.fr/oauth/authorize', params: { scope: 'public' } },
    token: 'https://api.intra.42.fr/oauth/token',
    userinfo: 'https://api.intra.42.fr/v2/me',
    profile: ({ id, usual_full_name: name, email, image }) =>
      makeUser({ id, name, email, image: image?.link }),
    style: { brandColor: '#000' },
  })
}
