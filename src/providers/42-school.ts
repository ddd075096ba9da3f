import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from './base.ts'
import type { Preset } from './preset.ts'

/** What 42 School tells of the signed-in user, as far as it is used here. */
export interface FortyTwoProfile extends ProviderProfile {
  id: number
  login: string
  email: string
  usual_full_name: string
  /** Absent while there is no photo. */
  image?: { link?: string | null }
}

/**
 * Sign in with 42 School.
 *
 * Register an application at https://profile.intra.42.fr/oauth/applications, with the redirect URI
 * `https://<host>/auth/callback/42-school`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, usual_full_name, email, image.link.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @example providers: [FortyTwo({ clientId: '...', clientSecret: '...' })]
 */
export default function FortyTwo<P extends FortyTwoProfile = FortyTwoProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
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
