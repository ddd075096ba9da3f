import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of NetSuite that the preset reads. */
export interface NetSuiteProfile extends ProviderProfile {
  /** From the RESTlet. */
  id?: number
  /** From the userinfo endpoint: the account and the user in it. */
  sub?: string
  name?: string
  email?: string
  role?: number
  location?: number
}

interface NetSuiteOptions<P> extends OAuthUserConfig<P> {
  /** For example `1234567`, or `1234567_SB1` for a sandbox. */
  readonly accountID?: string
  /** When to show the login and consent pages: `none`, `login`, `consent`, or both. */
  readonly prompt?: string
}

/**
 * Signs users in with NetSuite.
 *
 * Register an integration record with the authorization code grant, under Setup > Integration, with the redirect URI
 * `https://<host>/auth/callback/netsuite`.
 *
 * Options: `clientId`, `clientSecret`, `accountID` (required), `prompt`, `userinfo` (the URL of your RESTlet that returns id, name and email; the default is the account's userinfo endpoint, which needs the feature NetSuite as OIDC Provider), and any of `OAuthUserConfig`. Claims: id (else sub), name, email. NetSuite
 * provides no picture.
 *
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_160855370280.html
 * @example providers: [NetSuite({ clientId: '...', clientSecret: '...', accountID: 'TSTDRV1234567' })]
 */
export default function NetSuite<
  P extends NetSuiteProfile = NetSuiteProfile,
  const Id extends GivenId = GivenId,
>(options: NetSuiteOptions<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'netsuite', Id> {
  const host = (options.accountID ?? '').toLowerCase().replaceAll('_', '-')
  const api = `https://${host}.suitetalk.api.netsuite.com`
  const isOpenId = options.userinfo === undefined
  return oauth2(options, {
    id: 'netsuite',
    name: 'NetSuite',
    ...(host !== '' && {
      authorization: {
        url: `https://${host}.app.netsuite.com/app/login/oauth2/authorize.nl`,
        params: {
          scope: isOpenId ? 'openid email profile' : 'restlets rest_webservices',
          prompt: options.prompt,
        },
      },
      token: `${api}/services/rest/auth/oauth2/v1/token`,
      ...(isOpenId && { wellKnown: `${api}/.well-known/openid-configuration` }),
    }),
    checks: ['state'],
    profile: ({ id, sub, name, email }) => makeUser({ id: firstText(id, sub), name, email }),
    style: { brandColor: '#181a1b' },
  })
}
