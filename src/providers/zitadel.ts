import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of ZITADEL's id_token, in addition to the standard ones. */
export interface ZitadelProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  amr?: readonly string[]
  'urn:zitadel:iam:user:resourceowner:id'?: string
}

/**
 * Signs users in with ZITADEL.
 *
 * Register a web application in a project, at https://zitadel.cloud or on your own server, with the redirect URI
 * `https://<host>/auth/callback/zitadel`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the instance, such as
 * `https://example-abc123.zitadel.cloud`), and any of `OIDCUserConfig`. Claims: sub, name, email, picture. To include them in the id_token, enable "User Info inside ID Token" in the application.
 *
 * @see https://zitadel.com/docs/guides/integrate/login/oidc/login-users
 * @example providers: [ZITADEL({ clientId: '...', clientSecret: '...', issuer: 'https://example-abc123.zitadel.cloud' })]
 */
export default function ZITADEL<
  P extends ZitadelProfile = ZitadelProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'zitadel', Id> {
  return openId(options, {
    id: 'zitadel',
    name: 'ZITADEL',
  })
}
