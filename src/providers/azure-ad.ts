import type { OIDCConfig } from '../types/provider.ts'
import MicrosoftEntraID, { type MicrosoftEntraIDProfile } from './microsoft-entra-id.ts'
import type { Preset } from './preset.ts'

/** Claims of the id_token, beside the standard ones. */
export type AzureADProfile = MicrosoftEntraIDProfile

/**
 * Sign in with Microsoft Entra ID under its former name: with the id `azure-ad`, under which older applications know
 * their accounts. All else is as in `microsoft-entra-id`.
 *
 * Register an application at https://entra.microsoft.com, with the web redirect URI
 * `https://<host>/auth/callback/azure-ad`.
 *
 * Options and claims: those of `MicrosoftEntraID`.
 *
 * @deprecated use `MicrosoftEntraID` for new applications
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @example providers: [AzureAD({ clientId: '...', clientSecret: '...', issuer: '...' })]
 */
export default function AzureAD<P extends AzureADProfile = AzureADProfile>(
  options: Parameters<typeof MicrosoftEntraID>[0] = {},
): Preset<OIDCConfig<P>> {
  return { ...MicrosoftEntraID(options), id: 'azure-ad', name: 'Azure Active Directory' }
}
