import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { issuerWithSlash, openId } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of Auth0's id_token, in addition to the standard ones. */
export interface Auth0Profile extends ProviderProfile {
  /** The connection and the id in it, such as `auth0|5f7c8ec7c33c6c004bbafe82`. */
  sub: string
  /** The session at Auth0. */
  sid?: string
}

/**
 * Signs users in with Auth0.
 *
 * Register a regular web application at https://manage.auth0.com, with the allowed callback URL
 * `https://<host>/auth/callback/auth0`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://<tenant>.<region>.auth0.com`, or the custom domain),
 * and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow
 * @example providers: [Auth0({ clientId: '...', clientSecret: '...', issuer: 'https://example.eu.auth0.com/' })]
 */
export default function Auth0<P extends Auth0Profile = Auth0Profile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'auth0', Id> {
  return openId(options, {
    id: 'auth0',
    name: 'Auth0',
    [preset]: { derive: issuerWithSlash },
    style: { brandColor: '#EB5424', mark: marks.auth0 },
  })
}
