import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of BankID Norge's id_token, in addition to the standard ones. */
export interface BankIDNorwayProfile extends ProviderProfile {
  sub: string
  birthdate?: string
  /** The user's number at BankID, the same for all clients. */
  bankid_altsub?: string
  /** Identity assurance, such as `substantial` or `high`. */
  acr?: string
}

/**
 * Signs users in with BankID Norge.
 *
 * Register a client with BankID, through https://bankid.no/en/business, with the redirect URI
 * `https://<host>/auth/callback/bankid-no`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email (if its scope is requested and granted). BankID provides no picture, and returns the userinfo as a signed JWT.
 *
 * @see https://developer.bankid.no/bankid-with-biometrics/oidc/
 * @example providers: [BankIDNorway({ clientId: '...', clientSecret: '...' })]
 */
export default function BankIDNorway<
  P extends BankIDNorwayProfile = BankIDNorwayProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'bankid-no', Id> {
  return openId(options, {
    id: 'bankid-no',
    name: 'BankID Norge',
    issuer: 'https://auth.bankid.no/auth/realms/prod',
    authorization: { params: { ui_locales: 'no', login_hint: 'BIS' } },
    checks: ['pkce', 'state', 'nonce'],
    client: { token_endpoint_auth_method: 'client_secret_post', userinfo_signed_response_alg: 'RS256' },
    idToken: false,
    profile: ({ sub: id, name, email }) => makeUser({ id, name, email }),
    style: { brandColor: '#39134c' },
  })
}
