import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { Profile, ProviderProfile, User } from '../types/records.ts'
import { firstText, joinTexts, makeUser, readMember } from '../provider-base/base.ts'
import { preset, type Preset, readText } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of Apple's id_token, and the name that Apple sends with it at the first consent. */
export interface AppleProfile extends ProviderProfile {
  sub: string
  email?: string
  email_verified?: boolean
  /** Whether the address is a relay that Apple created for this application. */
  is_private_email?: boolean | 'true' | 'false'
  /** From the form field `user`, which Apple sends only once and does not sign. */
  user?: { name: { firstName?: string; lastName?: string } }
}

/**
 * Signs users in with Apple.
 *
 * Register a Services ID at https://developer.apple.com/account/resources/identifiers, with the return URL
 * `https://<host>/auth/callback/apple` (https on a public host; localhost is not accepted). The `clientSecret` is a JWT
 * that you sign with your key and renew at least every six months.
 *
 * Options: `clientId` (the Services ID), `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, email; the name is sent only at the first consent; otherwise the address replaces it. Apple provides no picture.
 *
 * @see https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
 * @example providers: [Apple({ clientId: '...', clientSecret: '...' })]
 */
export default function Apple<P extends AppleProfile = AppleProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'apple', Id> {
  return {
    id: 'apple',
    name: 'Apple',
    type: 'oidc',
    issuer: 'https://appleid.apple.com',
    // Apple posts the response as a form if the scope includes name or email.
    authorization: { params: { scope: 'name email', response_mode: 'form_post' } },
    checks: ['nonce', 'state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: toUser,
    style: { brandColor: '#000', mark: marks.apple },
    [preset]: { readResponse },
    options,
  }
}

function toUser({ sub: id, user, email }: AppleProfile): User {
  const { firstName, lastName } = user?.name ?? {}
  return makeUser({ id, name: firstText(joinTexts(firstName, lastName), email), email })
}

/**
 * Reads only the name from the form field `user`. The browser could have put any address there (CVE-2020-26254), so the
 * address comes from the signed claims.
 */
function readResponse(response: URLSearchParams, profile: Profile): Profile {
  const name = readName(response.get('user'))
  return {
    ...profile,
    // Apple sometimes sends this flag as a string (id_token claims, "email_verified").
    ...('email_verified' in profile && { email_verified: String(profile.email_verified) === 'true' }),
    user: name && { name },
  }
}

function readName(field: string | null): { firstName?: string; lastName?: string } | undefined {
  const name = field === null ? undefined : readMember(parse(field), 'name')
  const firstName = readText(readMember(name, 'firstName'))
  const lastName = readText(readMember(name, 'lastName'))
  return firstName === undefined && lastName === undefined ? undefined : { firstName, lastName }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
