import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Azure AD B2C's id_token, in addition to the standard ones. */
export interface AzureB2CProfile extends ProviderProfile {
  sub: string
  oid?: string
  tfp?: string
  /** Present if the user flow returns "Email Addresses". */
  emails?: readonly string[]
}

/** Alias of {@link AzureB2CProfile}, as in Auth.js. */
export type AzureADB2CProfile = AzureB2CProfile

/**
 * Signs users in with Azure AD B2C.
 *
 * Register an application in the B2C tenant at https://portal.azure.com, with the redirect URI
 * `https://<host>/auth/callback/azure-ad-b2c`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required, as the tokens spell it:
 * `https://<tenant>.b2clogin.com/<tenant id>/v2.0/`), `wellKnown` (required unless the user flow issues tokens under
 * the issuer with `tfp`: `https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<user
 * flow>/v2.0/.well-known/openid-configuration`), and any of `OIDCUserConfig`. Claims: sub, name (else
 * preferred_username), the first of emails.
 *
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect
 * @example providers: [AzureADB2C({ clientId: '...', clientSecret: '...', issuer: '...', wellKnown: '...' })]
 */
export default function AzureADB2C<
  P extends AzureB2CProfile = AzureB2CProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'azure-ad-b2c', Id> {
  return openId(options, {
    id: 'azure-ad-b2c',
    name: 'Azure AD B2C',
    profile: ({ sub: id, name, preferred_username: login, emails }) =>
      makeUser({ id, name: firstText(name, login), email: emails?.[0] }),
    style: { brandColor: '#0072c6' },
  })
}
