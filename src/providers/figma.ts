import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2 } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Figma that the preset reads. */
export interface FigmaProfile extends ProviderProfile {
  id: string
  handle: string
  email: string
  img_url: string
}

/**
 * Signs users in with Figma.
 *
 * Register an app at https://www.figma.com/developers/apps, with the callback URL
 * `https://<host>/auth/callback/figma`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, handle, email, img_url.
 *
 * @see https://www.figma.com/developers/api#oauth2
 * @example providers: [Figma({ clientId: '...', clientSecret: '...' })]
 */
export default function Figma<P extends FigmaProfile = FigmaProfile, const Id extends GivenId = GivenId>(
  options: OAuthUserConfig<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'figma', Id> {
  return oauth2(options, {
    id: 'figma',
    name: 'Figma',
    authorization: { url: 'https://www.figma.com/oauth', params: { scope: 'files:read' } },
    token: 'https://api.figma.com/v1/oauth/token',
    userinfo: 'https://api.figma.com/v1/me',
    checks: ['state'],
    profile: ({ id, handle: name, email, img_url: image }) => makeUser({ id, name, email, image }),
    style: { brandColor: '#ff7237', mark: marks.figma },
  })
}
