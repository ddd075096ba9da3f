import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, openId } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** Claims of Frontegg's id_token, in addition to the standard ones. */
export interface FronteggProfile extends ProviderProfile {
  sub: string
  tenantId?: string
  roles?: readonly string[]
  permissions?: readonly string[]
}

/**
 * Signs users in with Frontegg.
 *
 * Register an application at https://portal.frontegg.com, with the redirect URL
 * `https://<host>/auth/callback/frontegg`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://<subdomain>.frontegg.com`), and any of
 * `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://developers.frontegg.com/guides/integrations/openid
 * @example providers: [Frontegg({ clientId: '...', clientSecret: '...', issuer: 'https://app-example.frontegg.com' })]
 */
export default function Frontegg<
  P extends FronteggProfile = FronteggProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'frontegg', Id> {
  return openId(options, {
    id: 'frontegg',
    name: 'Frontegg',
    [preset]: {
      derive: belowIssuer((root) => ({
        wellKnown: `${root}/oauth/.well-known/openid-configuration`,
        authorization: `${root}/oauth/authorize`,
        token: `${root}/oauth/token`,
        userinfo: `${root}/identity/resources/users/v2/me`,
      })),
    },
  })
}
