import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, openId } from './base.ts'
import { preset, type Preset } from './preset.ts'

/** Claims of Frontegg's id_token, beside the standard ones. */
export interface FronteggProfile extends ProviderProfile {
  sub: string
  tenantId?: string
  roles?: readonly string[]
  permissions?: readonly string[]
}

/**
 * Sign in with Frontegg.
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
export default function Frontegg<P extends FronteggProfile = FronteggProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
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
