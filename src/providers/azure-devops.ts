import type { GivenId, OAuth2Config, OAuthUserConfig, TokenEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { makeUser, oauth2, repairTokens } from '../provider-base/base.ts'
import { fetchOf, type Preset, readText } from '../provider-base/preset.ts'

/** The user data of Azure DevOps that the preset reads. */
export interface AzureDevOpsProfile extends ProviderProfile {
  id: string
  displayName: string
  emailAddress: string
  /** The picture in base64. */
  coreAttributes?: { Avatar?: { value?: { value?: string } } }
}

const host = 'https://app.vssps.visualstudio.com'

/** Maximum characters of a picture. A larger one would not fit into a session cookie. */
const largestPicture = 20_000

/**
 * Signs users in with Azure DevOps.
 *
 * Register an app at https://app.vsaex.visualstudio.com/app/register, with the callback URL
 * `https://<host>/auth/callback/azure-devops`. Azure DevOps no longer registers new apps: use Microsoft Entra ID for those.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, displayName, emailAddress; the
 * avatar as a data URI.
 *
 * @see https://learn.microsoft.com/en-us/azure/devops/integrate/get-started/authentication/azure-devops-oauth
 * @example providers: [AzureDevOpsProvider({ clientId: '...', clientSecret: '...' })]
 */
export default function AzureDevOpsProvider<
  P extends AzureDevOpsProfile = AzureDevOpsProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'azure-devops', Id> {
  return oauth2(options, {
    id: 'azure-devops',
    name: 'Azure DevOps',
    authorization: {
      url: `${host}/oauth2/authorize`,
      params: { response_type: 'Assertion', scope: 'vso.profile' },
    },
    token: {
      url: `${host}/oauth2/token`,
      // Azure DevOps takes the code and the secret as assertions.
      request({ params, provider }) {
        const body = new URLSearchParams({
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: provider.clientSecret ?? '',
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion: params.get('code') ?? '',
          redirect_uri: params.get('redirect_uri') ?? '',
        })
        return fetchOf(provider)(`${host}/oauth2/token`, { method: 'POST', body, redirect: 'manual' })
      },
      conform: repairTokens,
    } satisfies TokenEndpointHandler,
    userinfo: `${host}/_apis/profile/profiles/me?details=true&coreAttributes=Avatar&api-version=6.0`,
    profile: toUser,
    style: { brandColor: '#0078d7' },
  })
}

function toUser({ id, displayName: name, emailAddress: email, coreAttributes }: AzureDevOpsProfile): User {
  const picture = readText(coreAttributes?.Avatar?.value?.value)
  const isShown = picture !== undefined && picture.length <= largestPicture
  return makeUser({ id, name, email, image: isShown && `data:image/jpeg;base64,${picture}` })
}
