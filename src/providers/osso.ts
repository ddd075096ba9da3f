import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { belowIssuer, firstText, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** The user data of Osso that the preset reads. */
export interface OssoProfile extends ProviderProfile {
  id: string
  email: string
  name?: string
  /** The upstream identity provider. */
  idp?: string
}

/**
 * Signs users in with SAML, through Osso.
 *
 * Register an OAuth client in the admin interface, with the redirect URI `https://<host>/auth/callback/osso`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: the URL of the service), and any of `OAuthUserConfig`.
 * Claims: id, name (else the address), email.
 *
 * @see https://ossoapp.com/docs/start/
 * @example providers: [Osso({ clientId: '...', clientSecret: '...', issuer: 'https://osso.example' })]
 */
export default function Osso<P extends OssoProfile = OssoProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'osso', Id> {
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
