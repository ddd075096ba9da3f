import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** Claims of United Effects's id_token, in addition to the standard ones. */
export interface UnitedEffectsProfile extends ProviderProfile {
  sub: string
  email?: string
  group?: string
}

/**
 * Signs users in with United Effects.
 *
 * Register an OpenID client at https://core.unitedeffects.com, with the redirect URI
 * `https://<host>/auth/callback/united-effects`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://auth.unitedeffects.com/<group id>`, or of the
 * custom domain), and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://docs.unitedeffects.com/integrations/nodejs-passport
 * @example providers: [UnitedEffects({ clientId: '...', clientSecret: '...', issuer: 'https://auth.unitedeffects.com/...' })]
 */
export default function UnitedEffects<
  P extends UnitedEffectsProfile = UnitedEffectsProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'united-effects', Id> {
  return openId(options, {
    id: 'united-effects',
    name: 'United Effects',
    authorization: { params: { scope: 'openid email profile' } },
    // Without a resource the access token is opaque.
    [preset]: { derive: ({ issuer }) => ({ authorization: { params: { resource: issuer } } }) },
  })
}
