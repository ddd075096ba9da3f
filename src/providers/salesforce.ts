import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Salesforce's id_token, in addition to the standard ones. */
export interface SalesforceProfile extends ProviderProfile {
  sub: string
  user_id: string
  organization_id: string
  preferred_username?: string
  nickname?: string
}

/**
 * Signs users in with Salesforce.
 *
 * Register a connected app, or an external client app, in the setup of the organisation, with the callback URL
 * `https://<host>/auth/callback/salesforce`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (default: `https://login.salesforce.com`; for your own domain:
 * `https://<domain>.my.salesforce.com`), and any of `OIDCUserConfig`. Claims: sub, name (else nickname), email,
 * picture, of the userinfo endpoint.
 *
 * @see https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_web_server_flow.htm
 * @example providers: [Salesforce({ clientId: '...', clientSecret: '...' })]
 */
export default function Salesforce<
  P extends SalesforceProfile = SalesforceProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'salesforce', Id> {
  return openId(options, {
    id: 'salesforce',
    name: 'Salesforce',
    issuer: 'https://login.salesforce.com',
    checks: ['pkce', 'state', 'nonce'],
    idToken: false,
    style: { brandColor: '#00a1e0' },
  })
}
