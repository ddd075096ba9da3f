import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of BankID Norge's id_token, beside the standard ones. */
export interface BankIDNorwayProfile extends ProviderProfile {
  sub: string
  birthdate?: string
  /** Known at BankID under this number, across clients. */
  bankid_altsub?: string
  /** Identity assurance, such as `substantial` or `high`. */
  acr?: string
}

/**
 * Sign in with BankID Norge.
 *
 * Register a client with BankID, through https://bankid.no/en/business, with the redirect URI
 * `https://<host>/auth/callback/bankid-no`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email (when its scope is
 * asked for and granted). BankID gives no picture, and answers the userinfo as a signed JWT.
 *
 * @see https://developer.bankid.no/bankid-with-biometrics/oidc/
 * @example providers: [BankIDNorway({ clientId: '...', clientSecret: '...' })]
 */
export default function BankIDNorway<P extends BankIDNorwayProfile = BankIDNorwayProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
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
