import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { listOf, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset, readText } from '../provider-base/preset.ts'

/** The user data of Eventbrite that the preset reads. */
export interface EventbriteProfile extends ProviderProfile {
  id: string
  name: string
  first_name?: string
  last_name?: string
  emails?: readonly { email: string; verified: boolean; primary: boolean }[]
  image_id?: string | null
}

/**
 * Signs users in with Eventbrite.
 *
 * Register an app at https://www.eventbrite.com/account-settings/apps, with the redirect URI
 * `https://<host>/auth/callback/eventbrite`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, name, the primary one of emails,
 * image_id.
 *
 * @see https://www.eventbrite.com/platform/api#/introduction/authentication
 * @example providers: [Eventbrite({ clientId: '...', clientSecret: '...' })]
 */
export default function Eventbrite<
  P extends EventbriteProfile = EventbriteProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'eventbrite', Id> {
  return oauth2(options, {
    id: 'eventbrite',
    name: 'Eventbrite',
    authorization: { url: 'https://www.eventbrite.com/oauth/authorize', params: { scope: 'user.profile' } },
    token: 'https://www.eventbrite.com/oauth/token',
    userinfo: 'https://www.eventbriteapi.com/v3/users/me/',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    [preset]: {
      complete: (profile) => ({
        ...profile,
        email_verified: findPrimary(profile as EventbriteProfile)?.verified === true,
      }),
    },
    profile: toUser,
    style: { brandColor: '#f05537' },
  })
}

function findPrimary({ emails }: EventbriteProfile) {
  return listOf(emails).find(({ primary }) => primary)
}

function toUser(profile: EventbriteProfile): User {
  const { id, name, image_id: image } = profile
  const email = findPrimary(profile)?.email
  const picture = `https://img.evbuc.com/https%3A%2F%2Fcdn.evbuc.com%2Fimages%2F${readText(image)}%2F1%2Foriginal.jpg`
  return makeUser({ id, name, email, image: readText(image) && picture })
}
