import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Azure AD B2C's id_token, beside the standard ones. */
export interface AzureB2CProfile extends ProviderProfile {
  sub: string
  oid?: string
  tfp?: string
  /** Told when the user flow returns "Email Addresses". */
  emails?: readonly string[]
}

/** The name of {@link AzureB2CProfile} in the ecosystem. */
export type AzureADB2CProfile = AzureB2CProfile

/**
 * Sign in with Azure AD B2C.
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
export default function AzureADB2C<P extends AzureB2CProfile = AzureB2CProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'azure-ad-b2c',
    name: 'Azure AD B2C',
    profile: ({ sub: id, name, preferred_username: login, emails }) =>
      makeUser({ id, name: firstText(name, login), email: emails?.[0] }),
    style: { brandColor: '#0072c6' },
  })
}
