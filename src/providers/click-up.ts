import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, oauth2, repairTokens } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of ClickUp that the preset reads. */
export interface ClickUpProfile extends ProviderProfile {
  user?: { id: number; username: string; email?: string; color?: string; profilePicture?: string | null }
}

/**
 * Signs users in with ClickUp.
 *
 * Register an app in the settings of a workspace, under ClickUp API, with the redirect URL
 * `https://<host>/auth/callback/click-up`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, username, email and profilePicture
 * of `user`.
 *
 * @see https://developer.clickup.com/docs/authentication
 * @example providers: [ClickUp({ clientId: '...', clientSecret: '...' })]
 */
export default function ClickUp<
  P extends ClickUpProfile = ClickUpProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'click-up', Id> {
  return oauth2(options, {
    id: 'click-up',
    name: 'ClickUp',
    authorization: 'https://app.clickup.com/api',
    token: { url: 'https://api.clickup.com/api/v2/oauth/token', conform: repairTokens },
    userinfo: 'https://api.clickup.com/api/v2/user',
    checks: ['state'],
    [preset]: { scopeless: true },
    profile: ({ user }) =>
      makeUser({ id: user?.id, name: user?.username, email: user?.email, image: user?.profilePicture }),
    style: { brandColor: '#24292f', mark: marks.clickUp },
  })
}
