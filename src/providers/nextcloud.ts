import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile, TokenSet } from '../types/records.ts'
import {
  bearer,
  belowIssuer,
  encodePath,
  makeUser,
  oauth2,
  readMember,
  requestUser,
} from '../provider-base/base.ts'
import { preset, type Preset, readText } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Nextcloud that the preset reads. */
export interface NextcloudProfile extends ProviderProfile {
  id: string
  displayname: string
  email: string | null
  enabled?: boolean
}

/** Nextcloud's token response contains the id of the user. */
interface NextcloudTokens extends TokenSet {
  user_id?: string
}

/**
 * Signs users in with Nextcloud.
 *
 * Register an OAuth 2.0 client in the server's administration settings, under Security, with the redirection URI
 * `https://<host>/auth/callback/nextcloud`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the server), and any of `OAuthUserConfig`.
 * Claims: id, displayname, email; the picture is the server's avatar of the id.
 *
 * @see https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 * @example providers: [Nextcloud({ clientId: '...', clientSecret: '...', issuer: 'https://cloud.example' })]
 */
export default function Nextcloud<
  P extends NextcloudProfile = NextcloudProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'nextcloud', Id> {
  return oauth2(options, {
    id: 'nextcloud',
    name: 'Nextcloud',
    [preset]: {
      scopeless: true,
      derive: belowIssuer((root) => ({
        authorization: `${root}/apps/oauth2/authorize`,
        token: `${root}/apps/oauth2/api/v1/token`,
        userinfo: {
          url: `${root}/ocs/v1.php/cloud/users`,
          async request({ tokens, provider }) {
            const { user_id: user = '' }: NextcloudTokens = tokens
            const headers = { ...bearer(tokens), 'OCS-APIRequest': 'true', accept: 'application/json' }
            const url = `${root}/ocs/v1.php/cloud/users/${encodePath(user)}`
            return readMember(await requestUser(provider, url, { headers }), 'ocs', 'data')
          },
        },
        profile: ({ id, displayname: name, email }: NextcloudProfile) =>
          makeUser({ id, name, email, image: readText(id) && `${root}/avatar/${encodePath(id)}/512` }),
      })),
    },
    style: { brandColor: '#fff', mark: marks.nextcloud },
  })
}
