import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2, repairTokens } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** The user data of Mailchimp that the preset reads. */
export interface MailchimpProfile extends ProviderProfile {
  accountname: string
  /** Host of the API for this account. */
  api_endpoint?: string
  login?: { login_id: number; login_name?: string; email: string }
}

/**
 * Signs users in with Mailchimp.
 *
 * Register an app at https://admin.mailchimp.com/account/oauth2, with the redirect URI
 * `https://<host>/auth/callback/mailchimp`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: login.login_id, accountname,
 * login.email. Mailchimp provides no picture.
 *
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 * @example providers: [Mailchimp({ clientId: '...', clientSecret: '...' })]
 */
export default function Mailchimp<
  P extends MailchimpProfile = MailchimpProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'mailchimp', Id> {
  return oauth2(options, {
    id: 'mailchimp',
    name: 'Mailchimp',
    authorization: 'https://login.mailchimp.com/oauth2/authorize',
    token: { url: 'https://login.mailchimp.com/oauth2/token', conform: repairTokens },
    userinfo: 'https://login.mailchimp.com/oauth2/metadata',
    [preset]: { scopeless: true },
    profile: ({ login, accountname: name }) => makeUser({ id: login?.login_id, name, email: login?.email }),
    style: { brandColor: '#000' },
  })
}
