import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of Roblox's id_token, in addition to the standard ones. */
export interface RobloxProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  created_at?: number
}

/**
 * Signs users in with Roblox.
 *
 * Register an app at https://create.roblox.com/dashboard/credentials, with the redirect URL
 * `https://<host>/auth/callback/roblox`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name (else nickname, else
 * preferred_username), picture. Roblox provides no address.
 *
 * @see https://create.roblox.com/docs/cloud/auth/oauth2-overview
 * @example providers: [Roblox({ clientId: '...', clientSecret: '...' })]
 */
export default function Roblox<P extends RobloxProfile = RobloxProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'roblox', Id> {
  return openId(options, {
    id: 'roblox',
    name: 'Roblox',
    issuer: 'https://apis.roblox.com/oauth/',
    authorization: { params: { scope: 'openid profile' } },
    checks: ['pkce', 'state'],
    style: { brandColor: '#5865F2', mark: marks.roblox },
  })
}
