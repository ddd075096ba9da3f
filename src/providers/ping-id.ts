import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Ping Identity's id_token, in addition to the standard ones. */
export interface PingIdProfile extends ProviderProfile {
  sub: string
  env?: string
  org?: string
  sid?: string
}

/** Alias of {@link PingIdProfile}, as in Auth.js. */
export type PingProfile = PingIdProfile

/**
 * Signs users in with Ping Identity.
 *
 * Register an OIDC web application at https://console.pingone.com, with the redirect URI
 * `https://<host>/auth/callback/ping-id`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://auth.pingone.com/<environment id>/as`), and any
 * of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://docs.pingidentity.com/pingone/applications/p1_add_app_oidc.html
 * @example providers: [PingId({ clientId: '...', clientSecret: '...', issuer: 'https://auth.pingone.eu/.../as' })]
 */
export default function PingId<P extends PingIdProfile = PingIdProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'ping-id', Id> {
  return openId(options, {
    id: 'ping-id',
    name: 'Ping Identity',
    style: { brandColor: '#b3282d' },
  })
}
