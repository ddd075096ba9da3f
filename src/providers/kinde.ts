import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Kinde's id_token, beside the standard ones. */
export interface KindeProfile extends ProviderProfile {
  sub: string
  org_code?: string
  org_codes?: readonly string[]
}

/**
 * Sign in with Kinde.
 *
 * Register a back-end application at https://app.kinde.com, with the callback URL
 * `https://<host>/auth/callback/kinde`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://<business>.kinde.com`, or the custom domain),
 * and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://docs.kinde.com/developer-tools/about/using-kinde-without-an-sdk/
 * @example providers: [Kinde({ clientId: '...', clientSecret: '...', issuer: 'https://example.kinde.com' })]
 */
export default function Kinde<P extends KindeProfile = KindeProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'kinde',
    name: 'Kinde',
    checks: ['state', 'pkce'],
    style: { brandColor: '#fff' },
  })
}
