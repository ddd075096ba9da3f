import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { joinTexts, makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of Zoho that the preset reads. */
export interface ZohoProfile extends ProviderProfile {
  ZUID: number
  First_Name?: string
  Last_Name?: string
  Display_Name?: string
  Email: string
}

/**
 * Signs users in with Zoho.
 *
 * Register a server-based application at https://api-console.zoho.com, with the authorized redirect URI
 * `https://<host>/auth/callback/zoho`. This is the data centre of the United States; others have their own
 * endpoints.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: ZUID, First_Name and Last_Name, Email.
 * Zoho provides no picture.
 *
 * @see https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html
 * @example providers: [Zoho({ clientId: '...', clientSecret: '...' })]
 */
export default function Zoho<P extends ZohoProfile = ZohoProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'zoho', Id> {
  return oauth2(options, {
    id: 'zoho',
    name: 'Zoho',
    authorization: {
      url: 'https://accounts.zoho.com/oauth/v2/auth',
      params: { scope: 'AaaServer.profile.Read' },
    },
    token: 'https://accounts.zoho.com/oauth/v2/token',
    userinfo: 'https://accounts.zoho.com/oauth/user/info',
    profile: ({ ZUID: id, First_Name: first, Last_Name: last, Email: email }) =>
      makeUser({ id, name: joinTexts(first, last), email }),
    style: { brandColor: '#e42527' },
  })
}
