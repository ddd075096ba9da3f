import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, joinTexts, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** The user data of BoxyHQ SAML that the preset reads. */
export interface BoxyHQSAMLProfile extends ProviderProfile {
  id: string
  email: string
  firstName?: string
  lastName?: string
}

/**
 * Signs users in with SAML, through BoxyHQ SAML Jackson (now Ory Polis).
 *
 * Register a connection of the tenant in the admin portal, with the redirect URL
 * `https://<host>/auth/callback/boxyhq-saml`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the service) and `authorization: { params: {
 * tenant, product } }` unless the client id names them, and any of `OAuthUserConfig`. Claims: id, firstName and
 * lastName, email.
 *
 * @see https://boxyhq.com/docs/jackson/saml-flow
 * @example providers: [SAMLJackson({ clientId: '...', clientSecret: '...', issuer: 'https://sso.example' })]
 */
export default function SAMLJackson<
  P extends BoxyHQSAMLProfile = BoxyHQSAMLProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'boxyhq-saml', Id> {
  return oauth2(options, {
    id: 'boxyhq-saml',
    name: 'BoxyHQ SAML',
    authorization: { params: { provider: 'saml' } },
    [preset]: {
      scopeless: true,
      derive: belowIssuer((root) => ({
        authorization: { url: `${root}/api/oauth/authorize` },
        token: `${root}/api/oauth/token`,
        userinfo: `${root}/api/oauth/userinfo`,
      })),
    },
    profile: ({ id, email, firstName, lastName }) =>
      makeUser({ id, name: joinTexts(firstName, lastName), email }),
    style: { brandColor: '#25c2a0' },
  })
}
