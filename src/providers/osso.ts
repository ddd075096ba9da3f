import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, firstText, makeUser, oauth2 } from './base.ts'
import { preset, type Preset } from './preset.ts'

/** What Osso tells of the signed-in user, as far as it is used here. */
export interface OssoProfile extends ProviderProfile {
  id: string
  email: string
  name?: string
  /** The identity provider behind Osso. */
  idp?: string
}

/**
 * Sign in with SAML, through Osso.
 *
 * Register an OAuth client in the admin interface, with the redirect URI `https://<host>/auth/callback/osso`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the service), and any of `OAuthUserConfig`.
 * Claims: id, name (else the address), email.
 *
 * @see https://ossoapp.com/docs/start/
 * @example providers: [Osso({ clientId: '...', clientSecret: '...', issuer: 'https://osso.example' })]
 */
export default function Osso<P extends OssoProfile = OssoProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
  return oauth2(options, {
    id: 'osso',
    name: 'Osso',
    [preset]: {
      scopeless: true,
      derive: belowIssuer((root) => ({
        authorization: `${root}/oauth/authorize`,
        token: `${root}/oauth/token`,
        userinfo: `${root}/oauth/me`,
      })),
    },
    profile: ({ id, name, email }) => makeUser({ id, name: firstText(name, email), email }),
  })
}
