import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Hugging Face's id_token, beside the standard ones. */
export interface HuggingfaceProfile extends ProviderProfile {
  sub: string
  preferred_username?: string
  isPro?: boolean
  orgs?: readonly { sub: string; name: string; preferred_username?: string }[]
}

/**
 * Sign in with Hugging Face.
 *
 * Register an application at https://huggingface.co/settings/applications/new, with the redirect URL
 * `https://<host>/auth/callback/huggingface`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://huggingface.co/docs/hub/oauth
 * @example providers: [Huggingface({ clientId: '...', clientSecret: '...' })]
 */
export default function Huggingface<P extends HuggingfaceProfile = HuggingfaceProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'huggingface',
    name: 'Hugging Face',
    issuer: 'https://huggingface.co',
    checks: ['state', 'pkce'],
    style: { brandColor: '#FFD21E' },
  })
}
