import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of LINE's id_token, in addition to the standard ones. */
export interface LineProfile extends ProviderProfile {
  sub: string
  amr?: readonly string[]
}

/**
 * Signs users in with LINE.
 *
 * Register a LINE Login channel at https://developers.line.biz/console, with the callback URL
 * `https://<host>/auth/callback/line`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email (if the channel may request it), picture. The id_token is signed with the client secret (HS256).
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 * @example providers: [LINE({ clientId: '...', clientSecret: '...' })]
 */
export default function LINE<P extends LineProfile = LineProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'line', Id> {
  return openId(options, {
    id: 'line',
    name: 'LINE',
    issuer: 'https://access.line.me',
    checks: ['state'],
    client: { id_token_signed_response_alg: 'HS256' },
    style: { brandColor: '#00C300', mark: marks.line },
  })
}
