import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** The user data of Box that the preset reads. */
export interface BoxProfile extends ProviderProfile {
  id: string
  name: string
  /** The e-mail address. */
  login: string
  avatar_url?: string
}

/**
 * Signs users in with Box.
 *
 * Register a custom app with user authentication at https://app.box.com/developers/console, with the redirect URI
 * `https://<host>/auth/callback/box`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name, login (the address),
 * avatar_url.
 *
 * @see https://developer.box.com/guides/authentication/oauth2/
 * @example providers: [Box({ clientId: '...', clientSecret: '...' })]
 */
export default function Box<P extends BoxProfile = BoxProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'box', Id> {
  return oauth2(options, {
    id: 'box',
    name: 'Box',
    authorization: 'https://account.box.com/api/oauth2/authorize',
    token: 'https://api.box.com/oauth2/token',
    userinfo: 'https://api.box.com/2.0/users/me',
    [preset]: { scopeless: true },
    profile: ({ id, name, login: email, avatar_url: image }) => makeUser({ id, name, email, image }),
    style: { brandColor: '#0075C9' },
  })
}
