import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Beyond Identity's id_token, in addition to the standard ones. */
export interface BeyondIdentityProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
}

/**
 * Signs users in with Beyond Identity.
 *
 * Register an application at https://console.beyondidentity.com, with the redirect URI
 * `https://<host>/auth/callback/beyondidentity`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the application's, such as
 * `https://auth-us.beyondidentity.com/v1/tenants/<tenant>/realms/<realm>/applications/<application>`), and any of
 * `OIDCUserConfig`. Claims: sub, name (else preferred_username), email.
 *
 * @see https://developer.beyondidentity.com
 * @example providers: [BeyondIdentity({ clientId: '...', clientSecret: '...', issuer: '...' })]
 */
export default function BeyondIdentity<
  P extends BeyondIdentityProfile = BeyondIdentityProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'beyondidentity', Id> {
  return openId(options, {
    id: 'beyondidentity',
    name: 'Beyond Identity',
    profile: ({ sub: id, name, preferred_username: login, email }) =>
      makeUser({ id, name: firstText(name, login), email }),
    style: { brandColor: '#5077c5' },
  })
}
