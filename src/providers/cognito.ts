import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Cognito's id_token, in addition to the standard ones. */
export interface CognitoProfile extends ProviderProfile {
  sub: string
  'cognito:username'?: string
  'cognito:groups'?: readonly string[]
}

/**
 * Signs users in with Cognito.
 *
 * Register a confidential app client of a user pool at https://console.aws.amazon.com/cognito, with the callback URL
 * `https://<host>/auth/callback/cognito`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://cognito-idp.<region>.amazonaws.com/<pool id>`),
 * and any of `OIDCUserConfig`. Claims: sub, name, email, picture, as far as the pool has them.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
 * @example providers: [Cognito({ clientId: '...', clientSecret: '...', issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_...' })]
 */
export default function Cognito<
  P extends CognitoProfile = CognitoProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'cognito', Id> {
  return openId(options, {
    id: 'cognito',
    name: 'Cognito',
    style: { brandColor: '#C17B9E' },
  })
}
