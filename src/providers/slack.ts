import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Slack's id_token, in addition to the standard ones. */
export interface SlackProfile extends ProviderProfile {
  sub: string
  'https://slack.com/user_id'?: string
  'https://slack.com/team_id'?: string
  'https://slack.com/team_name'?: string
  'https://slack.com/team_domain'?: string
}

/**
 * Signs users in with Slack.
 *
 * Register an app at https://api.slack.com/apps, with the redirect URL `https://<host>/auth/callback/slack`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OIDCUserConfig`. Claims: sub, name, email, picture.
 *
 * @see https://api.slack.com/authentication/sign-in-with-slack
 * @example providers: [Slack({ clientId: '...', clientSecret: '...' })]
 */
export default function Slack<P extends SlackProfile = SlackProfile, const Id extends GivenId = GivenId>(
  options: OIDCUserConfig<P> & { id?: Id } = {},
): Preset<OIDCConfig<P>, 'slack', Id> {
  return openId(options, {
    id: 'slack',
    name: 'Slack',
    issuer: 'https://slack.com',
    checks: ['nonce'],
    style: { brandColor: '#611f69' },
  })
}
