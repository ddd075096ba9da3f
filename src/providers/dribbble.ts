import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of Dribbble that the preset reads. */
export interface DribbbleProfile extends ProviderProfile {
  id: number
  name: string
  login: string
  email?: string
  avatar_url: string
}

interface DribbbleOptions<P> extends OAuthUserConfig<P> {
  /** @default 'public' */
  readonly scope?: string
}

/**
 * Signs users in with Dribbble.
 *
 * Register an application at https://dribbble.com/account/applications, with the callback URL
 * `https://<host>/auth/callback/dribbble`.
 *
 * Options: `clientId`, `clientSecret`, `scope` (space-separated), and any of `OAuthUserConfig`. Claims: id, name,
 * email, avatar_url.
 *
 * @see https://developer.dribbble.com/v2/oauth/
 * @example providers: [Dribbble({ clientId: '...', clientSecret: '...' })]
 */
export default function Dribbble<
  P extends DribbbleProfile = DribbbleProfile,
  const Id extends GivenId = GivenId,
>(options: DribbbleOptions<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'dribbble', Id> {
  return oauth2(options, {
    id: 'dribbble',
    name: 'Dribbble',
    authorization: {
      url: 'https://dribbble.com/oauth/authorize',
      params: { scope: options.scope ?? 'public' },
    },
    token: 'https://dribbble.com/oauth/token',
    userinfo: 'https://api.dribbble.com/v2/user',
    profile: ({ id, name, email, avatar_url: image }) => makeUser({ id, name, email, image }),
    style: { brandColor: '#000' },
  })
}
