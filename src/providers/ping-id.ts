import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Ping Identity's id_token, beside the standard ones. */
export interface PingIdProfile extends ProviderProfile {
  sub: string
  env?: string
  org?: string
  sid?: string
}

/** The name of {@link PingIdProfile} in the ecosystem. */
export type PingProfile = PingIdProfile

/**
 * Sign in with Ping Identity.
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
export default function PingId<P extends PingIdProfile = PingIdProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'ping-id',
    name: 'Ping Identity',
    style: { brandColor: '#b3282d' },
  })
}
