import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of ZITADEL's id_token, beside the standard ones. */
export interface ZitadelProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  amr?: readonly string[]
  'urn:zitadel:iam:user:resourceowner:id'?: string
}

/**
 * Sign in with ZITADEL.
 *
 * Register a web application in a project, at https://zitadel.cloud or on your own server, with the redirect URI
 * `https://<host>/auth/callback/zitadel`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the instance, such as
 * `https://example-abc123.zitadel.cloud`), and any of `OIDCUserConfig`. Claims: sub, name, email, picture. ZITADEL
 * puts them into the id_token when the application says so, under "User Info inside ID Token".
 *
 * @see https://zitadel.com/docs/guides/integrate/login/oidc/login-users
 * @example providers: [ZITADEL({ clientId: '...', clientSecret: '...', issuer: 'https://example-abc123.zitadel.cloud' })]
 */
export default function ZITADEL<P extends ZitadelProfile = ZitadelProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'zitadel',
    name: 'ZITADEL',
  })
}
