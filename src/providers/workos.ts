import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, joinTexts, makeUser, oauth2, repairTokens } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** The user data of WorkOS that the preset reads. */
export interface WorkOSProfile extends ProviderProfile {
  id: string
  email: string
  first_name?: string | null
  last_name?: string | null
  connection_id?: string
  organization_id?: string | null
  raw_attributes?: { picture?: string | null }
}

interface WorkOSOptions<P> extends OAuthUserConfig<P> {
  /** The connection to use for the sign-in. */
  readonly connection?: string
}

/**
 * Signs users in with WorkOS.
 *
 * Register the application at https://dashboard.workos.com, with the redirect URI
 * `https://<host>/auth/callback/workos`.
 *
 * Options: `clientId`, `clientSecret`, `connection` (of one identity provider; else send `connection`,
 * `organization` or `provider` with the sign-in), and any of `OAuthUserConfig`. Claims: id, first_name and
 * last_name, email, raw_attributes.picture.
 *
 * @see https://workos.com/docs/reference/sso
 * @example providers: [WorkOS({ clientId: '...', clientSecret: '...', connection: 'conn_...' })]
 */
export default function WorkOS<P extends WorkOSProfile = WorkOSProfile, const Id extends GivenId = GivenId>(
  options: WorkOSOptions<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'workos', Id> {
  return oauth2(options, {
    id: 'workos',
    name: 'WorkOS',
    issuer: 'https://api.workos.com/',
    authorization: { params: { connection: options.connection } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    [preset]: {
      scopeless: true,
      derive: belowIssuer((root) => ({
        authorization: { url: `${root}/sso/authorize` },
        token: { url: `${root}/sso/token`, conform: repairTokens },
        userinfo: `${root}/sso/profile`,
      })),
    },
    profile: (profile) => {
      const { id, first_name: first, last_name: last, email, raw_attributes: raw } = profile
      return makeUser({ id, name: joinTexts(first, last), email, image: raw?.picture })
    },
    style: { brandColor: '#6363f1' },
  })
}
