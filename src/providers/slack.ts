import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from './base.ts'
import type { Preset } from './preset.ts'

/** Claims of Slack's id_token, beside the standard ones. */
export interface SlackProfile extends ProviderProfile {
  sub: string
  'https://slack.com/user_id'?: string
  'https://slack.com/team_id'?: string
  'https://slack.com/team_name'?: string
  'https://slack.com/team_domain'?: string
}

/**
 * Sign in with Slack.
 *
 * Register an app at https://api.slack.com/apps, with the redirect URL `https://<host>/auth/callback/slack`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://api.slack.com/authentication/sign-in-with-slack
 * @example providers: [Slack({ clientId: '...', clientSecret: '...' })]
 */
export default function Slack<P extends SlackProfile = SlackProfile>(
  options: OIDCUserConfig<P> = {},
): Preset<OIDCConfig<P>> {
  return openId(options, {
    id: 'slack',
    name: 'Slack',
    issuer: 'https://slack.com',
    checks: ['nonce'],
    style: { brandColor: '#611f69' },
  })
}
