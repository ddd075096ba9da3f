import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2, readMember } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Patreon that the preset reads. */
export interface PatreonProfile extends ProviderProfile {
  data?: {
    id: string
    attributes?: { full_name?: string; email?: string; is_email_verified?: boolean; image_url?: string }
  }
}

/**
 * Signs users in with Patreon.
 *
 * Register a client at https://www.patreon.com/portal/registration/register-clients, with the redirect URI
 * `https://<host>/auth/callback/patreon`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: data.id; full_name, email and image_url
 * of `data.attributes`.
 *
 * @see https://docs.patreon.com/#oauth
 * @example providers: [Patreon({ clientId: '...', clientSecret: '...' })]
 */
export default function Patreon<
  P extends PatreonProfile = PatreonProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'patreon', Id> {
  return oauth2(options, {
    id: 'patreon',
    name: 'Patreon',
    authorization: {
      url: 'https://www.patreon.com/oauth2/authorize',
      params: { scope: 'identity identity[email]' },
    },
    token: 'https://www.patreon.com/api/oauth2/token',
    userinfo: 'https://www.patreon.com/api/oauth2/api/current_user',
    [preset]: {
      complete: (profile) => ({
        ...profile,
        email_verified: readMember(profile, 'data', 'attributes', 'is_email_verified') === true,
      }),
    },
    profile: ({ data }) => {
      const { full_name: name, email, image_url: image } = data?.attributes ?? {}
      return makeUser({ id: data?.id, name, email, image })
    },
    style: { brandColor: '#e85b46', mark: marks.patreon },
  })
}
