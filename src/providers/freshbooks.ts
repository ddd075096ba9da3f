import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { joinTexts, makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of Freshbooks that the preset reads. */
export interface FreshbooksProfile extends ProviderProfile {
  response?: { id: number; first_name?: string; last_name?: string; email: string }
}

/**
 * Signs users in with Freshbooks.
 *
 * Register an app at https://my.freshbooks.com/#/developer, with the redirect URI
 * `https://<host>/auth/callback/freshbooks`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, first_name and last_name, email of
 * `response`. FreshBooks provides no picture.
 *
 * @see https://www.freshbooks.com/api/authentication
 * @example providers: [Freshbooks({ clientId: '...', clientSecret: '...' })]
 */
export default function Freshbooks<
  P extends FreshbooksProfile = FreshbooksProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'freshbooks', Id> {
  return oauth2(options, {
    id: 'freshbooks',
    name: 'Freshbooks',
    authorization: {
      url: 'https://auth.freshbooks.com/service/auth/oauth/authorize',
      params: { scope: 'user:profile:read' },
    },
    token: 'https://api.freshbooks.com/auth/oauth/token',
    userinfo: 'https://api.freshbooks.com/auth/api/v1/users/me',
    profile: ({ response }) => {
      const { id, first_name: first, last_name: last, email } = response ?? {}
      return makeUser({ id, name: joinTexts(first, last), email })
    },
    style: { brandColor: '#0075dd' },
  })
}
