import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** The user data of Wikimedia that the preset reads. */
export interface WikimediaProfile extends ProviderProfile {
  /** The central account, the same on all wikis. */
  sub: number
  username: string
  email?: string
  confirmed_email?: boolean
  realname?: string
  groups?: readonly string[]
}

/**
 * Signs users in with Wikimedia.
 *
 * Register an OAuth 2.0 consumer at https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration, with the
 * callback URL `https://<host>/auth/callback/wikimedia`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: sub, username, email (if the consumer may see it). Wikimedia provides no picture.
 *
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers#OAuth_2
 * @example providers: [Wikimedia({ clientId: '...', clientSecret: '...' })]
 */
export default function Wikimedia<
  P extends WikimediaProfile = WikimediaProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'wikimedia', Id> {
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
