import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from './base.ts'
import type { Preset } from './preset.ts'

/** What NetSuite tells of the signed-in user, as far as it is used here. */
export interface NetSuiteProfile extends ProviderProfile {
  /** Of the RESTlet's answer. */
  id?: number
  /** Of the userinfo endpoint: the account and the user in it. */
  sub?: string
  name?: string
  email?: string
  role?: number
  location?: number
}

interface NetSuiteOptions<P> extends OAuthUserConfig<P> {
  /** Such as `1234567`, or `1234567_SB1` for a sandbox. */
  readonly accountID?: string
  /** When to show the login and the consent page: `none`, `login`, `consent`, or the two. */
  readonly prompt?: string
}

/**
 * Sign in with NetSuite.
 *
 * Register an integration record with the authorization code grant, under Setup > Integration, with the redirect URI
 * `https://<host>/auth/callback/netsuite`.
 *
 * Options: `clientId`, `clientSecret`, `accountID` (required), `prompt`, `userinfo` (the URL of a RESTlet of yours
 * that answers id, name and email; without one the account's own userinfo endpoint is asked, which is there with the
 * feature NetSuite as OIDC Provider), and any of `OAuthUserConfig`. Claims: id (else sub), name, email. NetSuite
 * gives no picture.
 *
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_160855370280.html
 * @example providers: [NetSuite({ clientId: '...', clientSecret: '...', accountID: 'TSTDRV1234567' })]
 */
export default function NetSuite<P extends NetSuiteProfile = NetSuiteProfile>(
  options: NetSuiteOptions<P> = {},
): Preset<OAuth2Config<P>> {
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
