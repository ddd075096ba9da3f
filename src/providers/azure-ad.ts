import type { GivenId, OIDCConfig } from '../types/provider.ts'
import MicrosoftEntraID, {
  type MicrosoftEntraIDOptions,
  type MicrosoftEntraIDProfile,
} from './microsoft-entra-id.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of the id_token, in addition to the standard ones. */
export type AzureADProfile = MicrosoftEntraIDProfile

/**
 * Signs users in with Microsoft Entra ID under its former name: with the id `azure-ad`, which older applications have stored with their accounts. Otherwise it is the same as `microsoft-entra-id`.
 *
 * Register an application at https://entra.microsoft.com, with the web redirect URI
 * `https://<host>/auth/callback/azure-ad`.
 *
 * Options and claims: those of `MicrosoftEntraID`.
 *
 * Options: those of `MicrosoftEntraID`.
 *
 * @deprecated use `MicrosoftEntraID` for new applications
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @example providers: [AzureAD({ clientId: '...', clientSecret: '...', issuer: '...' })]
 */
export default function AzureAD<
  P extends AzureADProfile = AzureADProfile,
  const Id extends GivenId = GivenId,
>(options: MicrosoftEntraIDOptions<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'azure-ad', Id> {
  return { ...MicrosoftEntraID(options), id: 'azure-ad', name: 'Azure Active Directory' }
}
