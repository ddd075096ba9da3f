import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Kinde's id_token, in addition to the standard ones. */
export interface KindeProfile extends ProviderProfile {
  sub: string
  org_code?: string
  org_codes?: readonly string[]
}

/**
 * Signs users in with Kinde.
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
export default function Kinde<P extends KindeProfile = KindeProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'kinde', Id> {
  return openId(options, {
    id: 'kinde',
    name: 'Kinde',
    checks: ['state', 'pkce'],
    style: { brandColor: '#fff' },
  })
}
