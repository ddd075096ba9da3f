import type { GivenId, OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from '../provider-base/base.ts'
import { preset, type Preset, readText } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of Discord that the preset reads. */
export interface DiscordProfile extends ProviderProfile {
  /** A snowflake: too large for a number. */
  id: string
  username: string
  global_name?: string | null
  /** Four digits, or `0` for accounts with a unique user name. */
  discriminator: string
  /** Hash of the picture. Animated if it starts with `a_`. */
  avatar: string | null
  email?: string | null
  /** Whether the address is verified. */
  verified?: boolean
}

const images = 'https://cdn.discordapp.com'

/**
 * Signs users in with Discord.
 *
 * Register an application at https://discord.com/developers/applications, with the redirect
 * `https://<host>/auth/callback/discord`.
 *
 * Options: `clientId`, `clientSecret`, and any of `OAuthUserConfig`. Claims: id, global_name (else username), email,
 * avatar (else the picture that Discord shows without one).
 *
 * @see https://discord.com/developers/docs/topics/oauth2
 * @example providers: [Discord({ clientId: '...', clientSecret: '...' })]
 */
export default function Discord<
  P extends DiscordProfile = DiscordProfile,
  const Id extends GivenId = GivenId,
>(options: OAuthUserConfig<P> & { id?: Id } = {}): Preset<OAuth2Config<P>, 'discord', Id> {
  return oauth2(options, {
    id: 'discord',
    name: 'Discord',
    authorization: { url: 'https://discord.com/api/oauth2/authorize', params: { scope: 'identify email' } },
    token: 'https://discord.com/api/oauth2/token',
    userinfo: 'https://discord.com/api/users/@me',
    [preset]: { complete: (profile) => ({ ...profile, email_verified: profile.verified === true }) },
    profile: toUser,
    style: { brandColor: '#5865F2', mark: marks.discord },
  })
}

function toUser(profile: DiscordProfile): User {
  const { id, global_name: name, username, email } = profile
  return makeUser({ id, name: firstText(name, username), email, image: findImage(profile) })
}

/** A snowflake has 64 bits. */
const snowflake = /^\d{1,20}$/

/** Returns the user's picture, or Discord's default for the id or the four digits of an older name. */
function findImage(profile: DiscordProfile): string {
  const id = readText(profile.id) ?? ''
  const hash = readText(profile.avatar)
  const digits = readText(profile.discriminator) ?? '0'
  if (hash !== undefined) return `${images}/avatars/${id}/${hash}.${hash.startsWith('a_') ? 'gif' : 'png'}`
  return `${images}/embed/avatars/${digits === '0' ? pickBySnowflake(id) : Number(digits) % 5 || 0}.png`
}

function pickBySnowflake(id: string): bigint {
  return snowflake.test(id) ? (BigInt(id) >> 22n) % 6n : 0n
}
