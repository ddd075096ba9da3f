import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Hugging Face's id_token, in addition to the standard ones. */
export interface HuggingfaceProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  isPro?: boolean
  orgs?: readonly { sub: string; name: string; preferred_username?: string }[]
}

/**
 * Signs users in with Hugging Face.
 *
 * Register an application at https://huggingface.co/settings/applications/new, with the redirect URL
 * `https://<host>/auth/callback/huggingface`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://huggingface.co/docs/hub/oauth
 * @example providers: [Huggingface({ clientId: '...', clientSecret: '...' })]
 */
export default function Huggingface<
  P extends HuggingfaceProfile = HuggingfaceProfile,
  const Id extends GivenId = GivenId,
>(options: OIDCUserConfig<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'huggingface', Id> {
  return openId(options, {
    id: 'huggingface',
    name: 'Hugging Face',
    issuer: 'https://huggingface.co',
    checks: ['state', 'pkce'],
    style: { brandColor: '#FFD21E' },
  })
}
