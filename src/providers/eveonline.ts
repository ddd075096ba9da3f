import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import { type Preset, readText } from '../provider-base/preset.ts'

/** The user data of EVE Online that the preset reads. */
export interface EVEOnlineProfile extends ProviderProfile {
  CharacterID: number
  CharacterName: string
  /** Changes when the character gets a new owner. */
  CharacterOwnerHash?: string
}

/**
 * Signs users in with EVE Online.
 *
 * Register an application at https://developers.eveonline.com/applications, with the callback URL
 * `https://<host>/auth/callback/eveonline`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: CharacterID (also in the URL of the
 * portrait), CharacterName. EVE Online provides no address.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @example providers: [EVEOnline({ clientId: '...', clientSecret: '...' })]
 */
export default function EVEOnline<
  P extends EVEOnlineProfile = EVEOnlineProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'eveonline', Id> {
  return oauth2(options, {
    id: 'eveonline',
    name: 'EVE Online',
    authorization: { url: 'https://login.eveonline.com/v2/oauth/authorize', params: { scope: 'publicData' } },
    token: 'https://login.eveonline.com/v2/oauth/token',
    userinfo: 'https://login.eveonline.com/oauth/verify',
    checks: ['state'],
    profile: toUser,
  })
}

function toUser({ CharacterID, CharacterName: name }: EVEOnlineProfile): User {
  const id = readText(CharacterID)
  return makeUser({ id, name, image: id && `https://images.evetech.net/characters/${id}/portrait?size=128` })
}
