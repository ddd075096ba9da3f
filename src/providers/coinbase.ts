import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** The user data of Coinbase that the preset reads. */
export interface CoinbaseProfile extends ProviderProfile {
  data?: { id: string; name?: string | null; email?: string; avatar_url?: string }
}

/**
 * Signs users in with Coinbase.
 *
 * Register an application at https://www.coinbase.com/settings/api, with the redirect URI
 * `https://<host>/auth/callback/coinbase`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name, email and avatar_url of
 * `data`.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview
 * @example providers: [Coinbase({ clientId: '...', clientSecret: '...' })]
 */
export default function Coinbase<
  P extends CoinbaseProfile = CoinbaseProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'coinbase', Id> {
  return oauth2(options, {
    id: 'coinbase',
    name: 'Coinbase',
    authorization: {
      url: 'https://login.coinbase.com/oauth2/auth',
      params: { scope: 'wallet:user:email wallet:user:read' },
    },
    token: 'https://login.coinbase.com/oauth2/token',
    userinfo: 'https://api.coinbase.com/v2/user',
    profile: ({ data }) =>
      makeUser({ id: data?.id, name: data?.name, email: data?.email, image: data?.avatar_url }),
    style: { brandColor: '#0052ff' },
  })
}
