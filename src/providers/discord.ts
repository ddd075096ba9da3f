import type { OAuth2Config, OAuthUserConfig } from '../types/provider.ts'
import type { ProviderProfile, User } from '../types/records.ts'
import { firstText, makeUser, oauth2 } from './base.ts'
import { preset, type Preset, readText } from './preset.ts'

/** What Discord tells of the signed-in user, as far as it is used here. */
export interface DiscordProfile extends ProviderProfile {
  /** A snowflake, too long for a number. */
  id: string
  username: string
  global_name?: string | null
  /** Four digits, or `0` for accounts with a unique user name. */
  discriminator: string
  /** Hash of the picture; animated when it starts with `a_`. */
  avatar: string | null
  email?: string | null
  /** The address is proven. */
  verified?: boolean
}

const images = 'https://cdn.discordapp.com'

/**
 * Sign in with Discord.
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
export default function Discord<P extends DiscordProfile = DiscordProfile>(
  options: OAuthUserConfig<P> = {},
): Preset<OAuth2Config<P>> {
  return oauth2(options, {
    id: 'discord',
    name: 'Discord',
    authorization: { url: 'https://discord.com/api/oauth2/authorize', params: { scope: 'identify email' } },
    token: 'https://discord.com/api/oauth2/token',
    userinfo: 'https://discord.com/api/users/@me',
    [preset]: { complete: (profile) => ({ ...profile, email_verified: profile.verified === true }) },
    profile: toUser,
    style: { brandColor: '#5865F2' },
  })
}

function toUser(profile: DiscordProfile): User {
  const { id, global_name: name, username, email } = profile
  return makeUser({ id, name: firstText(name, username), email, image: findImage(profile) })
}

/** The user's picture, or the one that Discord shows in its place: by the id, and by the four digits of older names. */
function findImage(profile: DiscordProfile): string {
  const id = readText(profile.id) ?? ''
  const hash = readText(profile.avatar)
  const digits = readText(profile.discriminator) ?? '0'
  if (hash !== undefined) return `${images}/avatars/${id}/${hash}.${hash.startsWith('a_') ? 'gif' : 'png'}`
  return `${images}/embed/avatars/${digits === '0' ? pickBySnowflake(id) : Number(digits) % 5 || 0}.png`
}

function pickBySnowflake(id: string): bigint {
  return /^\d+$/.test(id) ? (BigInt(id) >> 22n) % 6n : 0n
}
