import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of GitLab that the preset reads. */
export interface GitLabProfile extends ProviderProfile {
  id: number
  /** Replaces `id` if the OpenID endpoint is configured. */
  sub?: string
  username: string
  name: string
  email: string
  avatar_url: string | null
  /** When the address was confirmed; null until then. */
  confirmed_at?: string | null
}

interface GitLabOptions<P> extends OAuthUserConfig<P> {
  /** @default 'https://gitlab.com' */
  readonly baseUrl?: string | URL
}

/**
 * Signs users in with GitLab, at gitlab.com or on your own server.
 *
 * Register an application at https://gitlab.com/-/user_settings/applications, with the redirect URI
 * `https://<host>/auth/callback/gitlab`.
 *
 * Options: `clientId`, `clientSecret`, `baseUrl` (of your own server), and any of `OAuthUserConfig`. Claims:
 * id, name (else username), email, avatar_url.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 * @example providers: [GitLab({ clientId: '...', clientSecret: '...' })]
 */
export default function GitLab<P extends GitLabProfile = GitLabProfile, const Id extends GivenId = GivenId>(
  options: GitLabOptions<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'gitlab', Id> {
  const root = String(options.baseUrl ?? 'https://gitlab.com').replace(/\/+$/, '')
  return oauth2(options, {
    id: 'gitlab',
    name: 'GitLab',
    issuer: root,
    authorization: { url: `${root}/oauth/authorize`, params: { scope: 'read_user' } },
    token: `${root}/oauth/token`,
    userinfo: `${root}/api/v4/user`,
    // A server may let users in before they confirm their address ("soft" e-mail confirmation).
    [preset]: {
      complete: (profile) =>
        profile.confirmed_at === null ? { ...profile, email_verified: false } : profile,
    },
    profile: ({ id, sub, name, username, email, avatar_url: image }) =>
      makeUser({ id: firstText(sub, id), name: firstText(name, username), email, image }),
    style: { brandColor: '#FC6D26', mark: marks.gitlab },
  })
}
