import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of FACEIT that the preset reads. */
export interface FACEITProfile extends ProviderProfile {
  guid: string
  nickname?: string
  name?: string
  email: string
  picture?: string
}

/**
 * Signs users in with FACEIT.
 *
 * Register an application at https://developers.faceit.com, with the redirect URI
 * `https://<host>/auth/callback/faceit`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: guid, nickname, email, picture.
 *
 * @see https://docs.faceit.com/docs/Connect/intro
 * @example providers: [FACEIT({ clientId: '...', clientSecret: '...' })]
 */
export default function FACEIT<P extends FACEITProfile = FACEITProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'faceit', Id> {
  return oauth2(options, {
    id: 'faceit',
    name: 'FACEIT',
    authorization: 'https://accounts.faceit.com/accounts?redirect_popup=true',
    token: 'https://api.faceit.com/auth/v1/oauth/token',
    userinfo: 'https://api.faceit.com/auth/v1/resources/userinfo',
    profile: ({ guid: id, name, nickname, email, picture: image }) =>
      makeUser({ id, name: firstText(name, nickname), email, image }),
    style: { brandColor: '#ff5500', mark: marks.faceit },
  })
}
