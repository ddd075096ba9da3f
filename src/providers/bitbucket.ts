import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Bitbucket that the preset reads. */
export interface BitbucketProfile extends ProviderProfile {
  account_id: string
  display_name: string
  username?: string
  links?: { avatar?: { href?: string } }
}

/**
 * Signs users in with Bitbucket.
 *
 * Register an OAuth consumer in the settings of a workspace at https://bitbucket.org, with the permission to read
 * the account and the callback URL `https://<host>/auth/callback/bitbucket`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: account_id, display_name (else
 * username), links.avatar.href. Bitbucket provides the address only at another endpoint.
 *
 * @see https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/
 * @example providers: [Bitbucket({ clientId: '...', clientSecret: '...' })]
 */
export default function Bitbucket<
  P extends BitbucketProfile = BitbucketProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'bitbucket', Id> {
  return oauth2(options, {
    id: 'bitbucket',
    name: 'Bitbucket',
    authorization: { url: 'https://bitbucket.org/site/oauth2/authorize', params: { scope: 'account' } },
    token: 'https://bitbucket.org/site/oauth2/access_token',
    userinfo: 'https://api.bitbucket.org/2.0/user',
    profile: ({ account_id: id, display_name: name, username, links }) =>
      makeUser({ id, name: firstText(name, username), image: links?.avatar?.href }),
    style: { brandColor: '#205081', mark: marks.bitbucket },
  })
}
