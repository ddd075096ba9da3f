import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from './base.ts'
import { preset, type Preset } from './preset.ts'

/** What Wikimedia tells of the signed-in user, as far as it is used here. */
export interface WikimediaProfile extends ProviderProfile {
  /** The central account, on all wikis. */
  sub: number
  username: string
  email?: string
  confirmed_email?: boolean
  realname?: string
  groups?: readonly string[]
}

/**
 * Sign in with Wikimedia.
 *
 * Register an OAuth 2.0 consumer at https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration, with the
 * callback URL `https://<host>/auth/callback/wikimedia`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: sub, username, email (when the consumer
 * may see it). Wikimedia gives no picture.
 *
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers#OAuth_2
 * @example providers: [Wikimedia({ clientId: '...', clientSecret: '...' })]
 */
export default function Wikimedia<P extends WikimediaProfile = WikimediaProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
  return oauth2(options, {
    id: 'wikimedia',
    name: 'Wikimedia',
    authorization: 'https://meta.wikimedia.org/w/rest.php/oauth2/authorize',
    token: 'https://meta.wikimedia.org/w/rest.php/oauth2/access_token',
    userinfo: 'https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile',
    [preset]: {
      scopeless: true,
      complete: (profile) => ({ ...profile, email_verified: profile.confirmed_email === true }),
    },
    profile: ({ sub: id, username: name, email }) => makeUser({ id, name, email }),
    style: { brandColor: '#000' },
  })
}
