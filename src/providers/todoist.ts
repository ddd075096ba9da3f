import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Todoist that the preset reads. */
export interface TodoistProfile extends ProviderProfile {
  id: string
  full_name: string
  email: string
  avatar_big?: string | null
}

/**
 * Signs users in with Todoist.
 *
 * Register an app at https://app.todoist.com/app/settings/integrations/app-management, with the OAuth redirect URL
 * `https://<host>/auth/callback/todoist`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, full_name, email, avatar_big.
 *
 * @see https://developer.todoist.com/api/v1/#tag/Authorization/OAuth
 * @example providers: [TodoistProvider({ clientId: '...', clientSecret: '...' })]
 */
export default function TodoistProvider<
  P extends TodoistProfile = TodoistProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'todoist', Id> {
  return oauth2(options, {
    id: 'todoist',
    name: 'Todoist',
    authorization: { url: 'https://todoist.com/oauth/authorize', params: { scope: 'data:read' } },
    token: 'https://todoist.com/oauth/access_token',
    userinfo: 'https://api.todoist.com/api/v1/user',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, full_name: name, email, avatar_big: image }) => makeUser({ id, name, email, image }),
    style: { brandColor: '#E44332', mark: marks.todoist },
  })
}
