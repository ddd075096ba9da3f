import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { ProviderProfile } from '../types/records.ts'
import { makeUser, openId } from '../provider-base/base.ts'
import type { Preset } from '../provider-base/preset.ts'

/** Claims of Battle.net's id_token, in addition to the standard ones. */
export interface BattleNetProfile extends ProviderProfile {
  sub: string
  /** Name and number, such as `Player#1234`. */
  battle_tag: string
}

/** Hosts of the regions. The first one serves all regions except China. */
export type BattleNetIssuer =
  | 'https://oauth.battle.net'
  | 'https://oauth.battlenet.com.cn'
  | 'https://www.battlenet.com.cn/oauth'
  | `https://${'us' | 'eu' | 'kr' | 'tw'}.battle.net/oauth`

interface BattleNetOptions<P> extends OIDCUserConfig<P> {
  issuer?: BattleNetIssuer
}

/**
 * Signs users in with Battle.net.
 *
 * Register a client at https://develop.battle.net/access/clients, with the redirect URL
 * `https://<host>/auth/callback/battlenet`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (required: `https://oauth.battle.net`, or that of a region), and any
 * of `OIDCUserConfig`. Claims: sub, battle_tag. Battle.net provides no address or picture.
 *
 * @see https://community.developer.battle.net/documentation/guides/using-oauth
 * @example providers: [BattleNet({ clientId: '...', clientSecret: '...', issuer: 'https://oauth.battle.net' })]
 */
export default function BattleNet<
  P extends BattleNetProfile = BattleNetProfile,
  const Id extends GivenId = GivenId,
>(options: BattleNetOptions<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'battlenet', Id> {
  return openId(options, {
    id: 'battlenet',
    name: 'Battle.net',
    profile: ({ sub: id, battle_tag: name }) => makeUser({ id, name }),
    style: { brandColor: '#148eff' },
  })
}
