import type { GivenId, OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { bearer, makeUser, oauth2, readMember, requestUser } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The owner of the integration's bot, as far as the preset reads it. */
export interface NotionProfile extends ProviderProfile {
  id: string
  name: string | null
  avatar_url: string | null
  person?: { email?: string }
}

interface NotionOptions<P> extends OAuthUserConfig<P> {
  /** @deprecated has no effect: the redirect URI is that of the callback route */
  readonly redirectUri?: string
}

const bot = 'https://api.notion.com/v1/users/me'

/**
 * Signs users in with Notion.
 *
 * Register a public integration at https://www.notion.so/my-integrations, with the redirect URI
 * `https://<host>/auth/callback/notion`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name, person.email and avatar_url
 * of the bot's owner.
 *
 * @see https://developers.notion.com/docs/authorization
 * @example providers: [NotionProvider({ clientId: '...', clientSecret: '...' })]
 */
export default function NotionProvider<
  P extends NotionProfile = NotionProfile,
  const Id extends GivenId = GivenId,
>(options: NotionOptions<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'notion', Id> {
  return oauth2(options, {
    id: 'notion',
    name: 'Notion',
    authorization: { url: 'https://api.notion.com/v1/oauth/authorize', params: { owner: 'user' } },
    token: { url: 'https://api.notion.com/v1/oauth/token' },
    userinfo: {
      url: bot,
      async request({ tokens, provider }) {
        const headers = { ...bearer(tokens), 'Notion-Version': '2022-06-28' }
        return readMember(await requestUser(provider, bot, { headers }), 'bot', 'owner', 'user')
      },
    } satisfies UserinfoEndpointHandler,
    [preset]: { scopeless: true },
    profile: ({ id, name, person, avatar_url: image }) => makeUser({ id, name, email: person?.email, image }),
    style: { brandColor: '#fff', mark: marks.notion },
  })
}
