import type { OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile, TokenSet, User } from '../types/records.ts'
import { bearer, encodePath, makeUser, oauth2, requestUser } from './base.ts'
import { preset, type Preset, readText } from './preset.ts'

/** What Bungie tells of the signed-in user, as far as it is used here. */
export interface BungieProfile extends ProviderProfile {
  Response?: {
    bungieNetUser?: { membershipId: string; displayName: string; profilePicturePath?: string }
  }
}

interface BungieOptions<P> extends OAuthUserConfig<P> {
  /** Sent as X-API-Key with the request for the user. */
  readonly apiKey?: string
}

/** Bungie's token response names the member who signed in. */
interface BungieTokens extends TokenSet {
  membership_id?: string
}

const site = 'https://www.bungie.net'

/**
 * Sign in with Bungie.
 *
 * Register a confidential client at https://www.bungie.net/en/Application, with the redirect URL
 * `https://<host>/auth/callback/bungie`.
 *
 * Options: `clientId`, `clientSecret`, `apiKey` (required: the key of the application), and any of
 * `OAuthUserConfig`. Claims: membershipId, displayName and profilePicturePath of `Response.bungieNetUser`. Bungie
 * gives no address.
 *
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 * @example providers: [Bungie({ clientId: '...', clientSecret: '...', apiKey: '...' })]
 */
export default function Bungie<P extends BungieProfile = BungieProfile>(
  options: BungieOptions<P> = {},
): Preset<OAuth2Config<P>> {
  return oauth2(options, {
    id: 'bungie',
    name: 'Bungie',
    authorization: 'https://www.bungie.net/en/OAuth/Authorize?reauth=true',
    token: 'https://www.bungie.net/platform/app/oauth/token/',
    userinfo: {
      request({ tokens, provider }) {
        const { membership_id: member = '' }: BungieTokens = tokens
        const headers = { ...bearer(tokens), 'x-api-key': options.apiKey ?? '' }
        return requestUser(provider, `${site}/platform/User/GetBungieAccount/${encodePath(member)}/254/`, {
          headers,
        })
      },
    } satisfies UserinfoEndpointHandler,
    [preset]: { scopeless: true },
    profile: toUser,
    style: { brandColor: '#0075bb' },
  })
}

function toUser({ Response: answer }: BungieProfile): User {
  const { membershipId: id, displayName: name, profilePicturePath: path } = answer?.bungieNetUser ?? {}
  return makeUser({ id, name, image: readText(path) && `${site}${path}` })
}
