import type { GivenId, OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { bearer, makeUser, oauth2, requestUser } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Dropbox that the preset reads. */
export interface DropboxProfile extends ProviderProfile {
  account_id: string
  name?: { display_name: string; given_name?: string; surname?: string }
  email: string
  email_verified: boolean
  profile_photo_url?: string
}

const account = 'https://api.dropboxapi.com/2/users/get_current_account'

/**
 * Signs users in with Dropbox.
 *
 * Register an app at https://www.dropbox.com/developers/apps, with the redirect URI
 * `https://<host>/auth/callback/dropbox`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: account_id, name.display_name, email,
 * profile_photo_url.
 *
 * @see https://developers.dropbox.com/oauth-guide
 * @example providers: [Dropbox({ clientId: '...', clientSecret: '...' })]
 */
export default function Dropbox<
  P extends DropboxProfile = DropboxProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'dropbox', Id> {
  return oauth2(options, {
    id: 'dropbox',
    name: 'Dropbox',
    authorization: {
      url: 'https://www.dropbox.com/oauth2/authorize',
      params: { token_access_type: 'offline', scope: 'account_info.read' },
    },
    token: 'https://api.dropboxapi.com/oauth2/token',
    userinfo: {
      url: account,
      request: ({ tokens, provider }) =>
        requestUser(provider, account, { method: 'POST', headers: bearer(tokens) }),
    } satisfies UserinfoEndpointHandler,
    profile: ({ account_id: id, name, email, profile_photo_url: image }) =>
      makeUser({ id, name: name?.display_name, email, image }),
    style: { brandColor: '#0061fe', mark: marks.dropbox },
  })
}
