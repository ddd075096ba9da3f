import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of LinkedIn's id_token, in addition to the standard ones. */
export interface LinkedInProfile extends ProviderProfile {
  sub: string
  given_name?: string
  family_name?: string
}

/**
 * Signs users in with LinkedIn.
 *
 * Register an app with "Sign In with LinkedIn using OpenID Connect" at https://www.linkedin.com/developers/apps,
 * with the authorized redirect URL `https://<host>/auth/callback/linkedin`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 * @example providers: [LinkedIn({ clientId: '...', clientSecret: '...' })]
 */
export default function LinkedIn<
  P extends LinkedInProfile = LinkedInProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'linkedin', Id> {
  return openId(options, {
    id: 'linkedin',
    name: 'LinkedIn',
    issuer: 'https://www.linkedin.com/oauth',
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#069' },
  })
}
