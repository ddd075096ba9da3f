import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { makeUser, oauth2 } from './base.ts'
import { type Preset, readText } from './preset.ts'

/** What EVE Online tells of the signed-in user, as far as it is used here. */
export interface EVEOnlineProfile extends ProviderProfile {
  CharacterID: number
  CharacterName: string
  /** Changes when the character changes hands. */
  CharacterOwnerHash?: string
}

/**
 * Sign in with EVE Online.
 *
 * Register an application at https://developers.eveonline.com/applications, with the callback URL
 * `https://<host>/auth/callback/eveonline`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: CharacterID (also in the URL of the
 * portrait), CharacterName. EVE Online gives no address.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @example providers: [EVEOnline({ clientId: '...', clientSecret: '...' })]
 */
export default function EVEOnline<P extends EVEOnlineProfile = EVEOnlineProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
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
