import type { GivenId, OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile, TokenSet, User } from '../types/records.ts'
import { bearer, encodePath, makeUser, oauth2, requestUser } from '../provider-base/base.ts'
import { preset, type Preset, readText } from '../provider-base/preset.ts'

/** The user data of Bungie that the preset reads. */
export interface BungieProfile extends ProviderProfile {
  Response?: {
    bungieNetUser?: { membershipId: string; displayName: string; profilePicturePath?: string }
  }
}

interface BungieOptions<P> extends OAuthUserConfig<P> {
  /** Sent as X-API-Key with the request for the user. */
  readonly apiKey?: string
}

/** Bungie's token response contains the id of the user. */
interface BungieTokens extends TokenSet {
  membership_id?: string
}

const site = 'https://www.bungie.net'

/**
 * Signs users in with Bungie.
 *
 * Register a confidential client at https://www.bungie.net/en/Application, with the redirect URL
 * `https://<host>/auth/callback/bungie`.
 *
 * Options: `clientId`, `clientSecret`, `apiKey` (required: the key of the application), and any of
 * `OAuthUserConfig`. Claims: membershipId, displayName and profilePicturePath of `Response.bungieNetUser`. Bungie
 * provides no address.
 *
 * @see https://github.com/Bungie-net/api/wiki/OAuth-Documentation
 * @example providers: [Bungie({ clientId: '...', clientSecret: '...', apiKey: '...' })]
 */
export default function Bungie<P extends BungieProfile = BungieProfile, const Id extends GivenId = GivenId>(
  options: BungieOptions<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'bungie', Id> {
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
