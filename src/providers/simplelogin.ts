import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of SimpleLogin's id_token, in addition to the standard ones. */
export interface SimpleLoginProfile extends ProviderProfile {
  sub: string
  email: string
  email_verified: boolean
  avatar_url?: string | null
}

/**
 * Signs users in with SimpleLogin.
 *
 * Register a website at https://app.simplelogin.io/developer, with the redirect URI
 * `https://<host>/auth/callback/simplelogin`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email (which may be an
 * alias), avatar_url.
 *
 * @see https://simplelogin.io/docs/siwsl/app/
 * @example providers: [SimpleLogin({ clientId: '...', clientSecret: '...' })]
 */
export default function SimpleLogin<
  P extends SimpleLoginProfile = SimpleLoginProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'simplelogin', Id> {
  return openId(options, {
    id: 'simplelogin',
    name: 'SimpleLogin',
    issuer: 'https://app.simplelogin.io',
    profile: ({ sub: id, name, email, avatar_url: image }) => makeUser({ id, name, email, image }),
    style: { brandColor: '#e3156a' },
  })
}
