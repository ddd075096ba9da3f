import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { issuerWithSlash, openId } from './base.ts'
import { preset, type Preset } from './preset.ts'

/** Claims of Auth0's id_token, beside the standard ones. */
export interface Auth0Profile extends ProviderProfile {
  /** Connection and id there, such as `auth0|5f7c8ec7c33c6c004bbafe82`. */
  sub: string
  /** Session at Auth0. */
  sid?: string
}

/**
 * Sign in with Auth0.
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
export default function Auth0<P extends Auth0Profile = Auth0Profile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'auth0',
    name: 'Auth0',
    [preset]: { derive: issuerWithSlash },
    style: { brandColor: '#EB5424' },
  })
}
