import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** Claims of Google's id_token, in addition to the standard ones. */
export interface GoogleProfile extends ProviderProfile {
  sub: string
  email: string
  email_verified: boolean
  /** Domain of the Workspace organisation. Missing for personal accounts. */
  hd?: string
}

/**
 * Signs users in with Google.
 *
 * Register a web client at https://console.cloud.google.com/auth/clients, with the redirect URI
 * `https://<host>/auth/callback/google`. To admit one organisation only, check `profile.hd` in the signIn callback: the
 * `hd` request parameter alone is a hint to the user, no rule.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 * @example providers: [Google({ clientId: '...', clientSecret: '...' })]
 */
export default function Google<P extends GoogleProfile = GoogleProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'google', Id> {
  return openId(options, {
    id: 'google',
    name: 'Google',
    issuer: 'https://accounts.google.com',
    style: { brandColor: '#1a73e8', mark: marks.google },
  })
}
