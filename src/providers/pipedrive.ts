import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** The user data of Pipedrive that the preset reads. */
export interface PipedriveProfile extends ProviderProfile {
  data?: { id: number; name: string; email: string; icon_url: string | null }
}

/**
 * Signs users in with Pipedrive.
 *
 * Register an app at https://developers.pipedrive.com, with the callback URL
 * `https://<host>/auth/callback/pipedrive`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name, email and icon_url of `data`.
 *
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 * @example providers: [Pipedrive({ clientId: '...', clientSecret: '...' })]
 */
export default function Pipedrive<
  P extends PipedriveProfile = PipedriveProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'pipedrive', Id> {
  return oauth2(options, {
    id: 'pipedrive',
    name: 'Pipedrive',
    authorization: 'https://oauth.pipedrive.com/oauth/authorize',
    token: 'https://oauth.pipedrive.com/oauth/token',
    userinfo: 'https://api.pipedrive.com/users/me',
    [preset]: { scopeless: true },
    profile: ({ data }) =>
      makeUser({ id: data?.id, name: data?.name, email: data?.email, image: data?.icon_url }),
    style: { brandColor: '#017737' },
  })
}
