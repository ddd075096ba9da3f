import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { belowIssuer, firstText, joinTexts, makeUser, openId } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** Claims of FusionAuth's id_token, in addition to the standard ones. */
export interface FusionAuthProfile extends ProviderProfile {
  sub: string
  applicationId?: string
  roles?: readonly string[]
  /** The tenant. */
  tid?: string
}

interface FusionAuthOptions<P> extends OIDCUserConfig<P> {
  /** The tenant whose metadata is used. */
  readonly tenantId?: string
}

/**
 * Signs users in with FusionAuth.
 *
 * Register an application in the admin interface, under Applications, with the authorized redirect URL
 * `https://<host>/auth/callback/fusionauth`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the server, which has to be the issuer in the
 * tenant's settings too), `tenantId` (where there are several), and any of `OIDCUserConfig`. Claims: sub, name (else
 * preferred_username, else its parts), email, picture.
 *
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints
 * @example providers: [FusionAuth({ clientId: '...', clientSecret: '...', issuer: 'https://id.example' })]
 */
export default function FusionAuth<
  P extends FusionAuthProfile = FusionAuthProfile,
  const Id extends GivenId = GivenId,
>(options: FusionAuthOptions<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'fusionauth', Id> {
  const query =
    options.tenantId === undefined ? '' : `?${new URLSearchParams({ tenantId: options.tenantId })}`
  return openId(options, {
    id: 'fusionauth',
    name: 'FusionAuth',
    authorization: { params: { scope: 'openid offline_access email profile' } },
    checks: ['pkce', 'state'],
    [preset]: {
      derive: belowIssuer((root) => ({
        wellKnown: `${root}/.well-known/openid-configuration${query}`,
        token: `${root}/oauth2/token`,
        userinfo: `${root}/oauth2/userinfo`,
      })),
    },
    profile: toUser,
    style: { brandColor: '#f58320' },
  })
}

function toUser(profile: FusionAuthProfile): User {
  const { sub: id, preferred_username: login, email, picture: image } = profile
  const parts = joinTexts(profile.given_name, profile.middle_name, profile.family_name)
  return makeUser({ id, name: firstText(profile.name, login, parts), email, image })
}
