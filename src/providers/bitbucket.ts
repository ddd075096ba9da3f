import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from './base.ts'
import type { Preset } from './preset.ts'

/** What Bitbucket tells of the signed-in user, as far as it is used here. */
export interface BitbucketProfile extends ProviderProfile {
  account_id: string
  display_name: string
  username?: string
  links?: { avatar?: { href?: string } }
}

/**
 * Sign in with Bitbucket.
 *
 * Register an OAuth consumer in the settings of a workspace at https://bitbucket.org, with the permission to read
 * the account and the callback URL `https://<host>/auth/callback/bitbucket`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: account_id, display_name (else
 * username), links.avatar.href. Bitbucket tells the address elsewhere only.
 *
 * @see https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/
 * @example providers: [Bitbucket({ clientId: '...', clientSecret: '...' })]
 */
export default function Bitbucket<P extends BitbucketProfile = BitbucketProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
  return oauth2(options, {
    id: 'bitbucket',
    name: 'Bitbucket',
    authorization: { url: 'https://bitbucket.org/site/oauth2/authorize', params: { scope: 'account' } },
    token: 'https://bitbucket.org/site/oauth2/access_token',
    userinfo: 'https://api.bitbucket.org/2.0/user',
    profile: ({ account_id: id, display_name: name, username, links }) =>
      makeUser({ id, name: firstText(name, username), image: links?.avatar?.href }),
    style: { brandColor: '#205081' },
  })
}
