import type { OAuthSettings } from '../config/settings.ts'
import { formatUuid } from '../crypto/random.ts'
import type { Platform } from '../types/config.ts'
import type { Account, Profile, TokenSet, User } from '../types/records.ts'
import { type Failed, fail } from './failure.ts'

/** What a profile makes: who would be a new user, and the account at the provider. */
export interface MappedProfile {
  /** Under a fresh random id: a user is not the provider's (OI-17). */
  readonly candidate: User
  readonly account: Account
  /** The profile has an address that is none, which was left out; to be logged. */
  readonly emailRefused: boolean
}

/** What `String()` makes of a missing id: every account without one would be the same account (OI-18). */
const nobody: readonly string[] = ['undefined', 'null', 'NaN', '[object Object]']

/**
 * Calls the provider's `profile` and makes user and account of what it answers. The account's id is the profile's, as a
 * string; a profile without a usable one is refused (decision 13).
 *
 * @param canonicaliseEmail the one form of an address, or undefined when it is none
 */
export async function mapProfile(
  provider: OAuthSettings,
  profile: Profile,
  tokens: TokenSet,
  {
    platform,
    canonicaliseEmail,
  }: {
    readonly platform: Platform
    readonly canonicaliseEmail: (raw: string) => string | undefined
  },
): Promise<MappedProfile | Failed> {
  const what = `Provider "${provider.id}": the profile callback`
  let mapped: unknown
  try {
    mapped = await provider.profile(profile, tokens)
  } catch (cause) {
    return fail('profile-unusable', `${what} failed`, cause)
  }
  if (typeof mapped !== 'object' || mapped === null)
    return fail('profile-unusable', `${what} answered no user`)
  const { id, email: rawEmail, ...rest } = mapped as Record<string, unknown>
  const providerAccountId = readId(id)
  if (providerAccountId === undefined)
    return fail('profile-unusable', `${what} answered a user without a usable id`)

  const email = typeof rawEmail === 'string' ? canonicaliseEmail(rawEmail) : undefined
  const members = Object.entries({ ...rest, email }).filter(([, value]) => value !== undefined)
  // Whose account it is, is never the token endpoint's to say.
  const { userId: _, ...stored } = tokens as TokenSet & { userId?: unknown }
  return {
    candidate: { ...Object.fromEntries(members), id: formatUuid(platform.randomBytes(16)) },
    account: { ...stored, provider: provider.id, type: provider.type, providerAccountId },
    emailRefused: email === undefined && rawEmail !== undefined && rawEmail !== null && rawEmail !== '',
  }
}

function readId(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isFinite(id) ? String(id) : undefined
  if (typeof id !== 'string') return undefined
  return id.trim() === '' || nobody.includes(id) ? undefined : id
}
