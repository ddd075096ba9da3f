import type { GivenId, OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { joinTexts, makeUser, oauth2, repairTokens, requestUser } from '../provider-base/base.ts'
import { preset, type Preset, readText } from '../provider-base/preset.ts'

/** The user data of Foursquare that the preset reads. */
export interface FoursquareProfile extends ProviderProfile {
  response?: {
    user?: {
      id: string
      firstName?: string
      lastName?: string
      contact?: { email?: string }
      photo?: { prefix?: string; suffix?: string }
    }
  }
}

interface FoursquareOptions<P> extends OAuthUserConfig<P> {
  /** Date of the interface, as YYYYMMDD. @default '20230131' */
  readonly apiVersion?: string
}

/**
 * Signs users in with Foursquare.
 *
 * Register a project at https://foursquare.com/developers, with the redirect URL
 * `https://<host>/auth/callback/foursquare`.
 *
 * Options: `clientId`, `clientSecret`, `apiVersion` (a date), and any of `OAuthUserConfig`. Claims: id, firstName
 * and lastName, contact.email and photo of `response.user`.
 *
 * @see https://docs.foursquare.com/developer/reference/authentication
 * @example providers: [Foursquare({ clientId: '...', clientSecret: '...' })]
 */
export default function Foursquare<
  P extends FoursquareProfile = FoursquareProfile,
  const Id extends GivenId = GivenId,
>(options: FoursquareOptions<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'foursquare', Id> {
  const version = options.apiVersion ?? '20230131'
  return oauth2(options, {
    id: 'foursquare',
    name: 'Foursquare',
    authorization: 'https://foursquare.com/oauth2/authenticate',
    token: { url: 'https://foursquare.com/oauth2/access_token', conform: repairTokens },
    userinfo: {
      request({ tokens, provider }) {
        // Foursquare accepts the token only as a parameter.
        const query = new URLSearchParams({ v: version, oauth_token: tokens.access_token ?? '' })
        return requestUser(provider, `https://api.foursquare.com/v2/users/self?${query}`, {})
      },
    } satisfies UserinfoEndpointHandler,
    [preset]: { scopeless: true },
    profile: toUser,
    style: { brandColor: '#000' },
  })
}

function toUser({ response }: FoursquareProfile): User {
  const { id, firstName, lastName, contact, photo } = response?.user ?? {}
  const { prefix, suffix } = photo ?? {}
  const image = readText(prefix) && readText(suffix) && `${prefix}original${suffix}`
  return makeUser({ id, name: joinTexts(firstName, lastName), email: contact?.email, image })
}
