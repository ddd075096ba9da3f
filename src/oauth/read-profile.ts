import type { AuthorizationServer } from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { formatUuid } from '../crypto/random.ts'
import type { Platform } from '../types/config.ts'
import type { Account, Profile, TokenSet, User } from '../types/records.ts'
import { HookError } from './call-hook.ts'
import type { OAuthContext } from './context.ts'
import type { TokenGrant } from './exchange-code.ts'
import { fail, type Failed, hasFailed } from './failure.ts'
import { fetchUserinfo } from './fetch-userinfo.ts'
import { failFrom } from './provider-error.ts'
import { outboundFetch } from './outbound-fetch.ts'

/** The result of mapping a profile: the user, if new, and the account at the provider. */
export interface MappedProfile {
  /** With a new random id: the provider does not choose user ids (OI-17). */
  readonly candidate: User
  readonly account: Account
  /** Whether the profile had an invalid address, which was removed. Logged. */
  readonly emailRefused: boolean
}

/**
 * The results of `String()` for missing ids, and for numbers that are too large to parse, such as `1e999`. All accounts
 * with such an id would be the same account (OI-18).
 */
const nobody: readonly string[] = ['undefined', 'null', 'NaN', 'Infinity', '-Infinity', '[object Object]']

/** Maximum characters of an id, the limit of `sub` (OpenID Connect Core 2). Ids are searched for numbers. */
const longestId = 255

/**
 * Calls the provider's `profile`, and returns user and account. The account's id is that of the profile, as a string. A
 * profile without a usable id is refused (decision 13).
 *
 * @param canonicaliseEmail returns the canonical form of an address, or undefined if it is invalid
 */
export async function deriveUser(
  provider: OAuthSettings,
  profile: Profile,
  tokens: TokenSet,
  helpers: Helpers,
): Promise<MappedProfile | Failed> {
  const { profile: map } = provider
  let mapped: User
  try {
    mapped = await map(profile, tokens)
  } catch (thrown) {
    const { message, cause } = new HookError('profile', thrown)
    return fail('hook-failed', `Provider "${provider.id}": ${message}`, cause)
  }
  return readMapped(mapped, provider, profile, tokens, helpers)
}

interface Helpers {
  readonly platform: Platform
  readonly canonicaliseEmail: (raw: string) => string | undefined
}

function readMapped(
  mapped: unknown,
  provider: OAuthSettings,
  profile: Profile,
  tokens: TokenSet,
  { platform, canonicaliseEmail }: Helpers,
): MappedProfile | Failed {
  const what = `Provider "${provider.id}": the profile callback`
  if (typeof mapped !== 'object' || mapped === null)
    return fail('profile.unusable', `${what} returned no user`)
  const { id, email: rawEmail } = mapped as Record<string, unknown>
  const providerAccountId = readId(id)
  if (providerAccountId === undefined || isRounded(providerAccountId, profile, tokens))
    return fail('profile.unusable', `${what} returned a user without a usable id`)

  const email = typeof rawEmail === 'string' ? canonicaliseEmail(rawEmail) : undefined
  const candidate = { ...mapped, id: formatUuid(platform.randomBytes(16)), email } as User
  dropUndefined(candidate)
  const account = { ...tokens, provider: provider.id, type: provider.type, providerAccountId }
  // The token endpoint must not choose the user of an account.
  if ('userId' in account) delete account.userId
  return {
    candidate,
    account,
    emailRefused: email === undefined && rawEmail !== undefined && rawEmail !== null && rawEmail !== '',
  }
}

function dropUndefined(holder: object): void {
  for (const [name, value] of Object.entries(holder))
    if (value === undefined) Reflect.deleteProperty(holder, name)
}

function readId(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isFinite(id) && !isInexact(id) ? String(id) : undefined
  if (typeof id !== 'string') return undefined
  // Databases replace lone surrogates, or end the text at U+0000, so that two accounts would have one id.
  const isAmbiguous = /[\0\p{Surrogate}]/u.test(id)
  const isUnusable = id.trim() === '' || id.length > longestId || nobody.includes(id) || isAmbiguous
  return isUnusable ? undefined : id
}

/**
 * Returns whether a number is an integer beyond 2^53. JSON parsing rounds such numbers, so one may stand for several.
 */
function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

/** Members in which providers repeat an id as text, such as `id_str`. Users can choose the text of other members. */
const idMember = /^(?:sub|(?:u|user_?)?id(?:_?str)?)$/i

/**
 * Returns whether the id was created from such a number, so that two accounts could share it. If the response also
 * contains the number as the text of an id, the id may come from that.
 */
function isRounded(id: string, ...answers: readonly unknown[]): boolean {
  // Integers beyond 2^53, as `String()` or `BigInt()` writes them.
  const matches = id.match(/\d(?:\.\d+)?e\+\d+|\d{16,}/g)
  if (!matches) return false
  const written = new Set(matches)
  const numbers = new Set<number>()
  const seen = new Set<unknown>()
  const visit = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && idMember.test(name)) written.delete(value)
    if (typeof value === 'number' && isInexact(value)) numbers.add(Math.abs(value))
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    for (const [key, member] of Object.entries(value)) visit(member, key)
  }
  for (const answer of answers) visit(answer)
  return [...written].some((text) => {
    const number = Number(text)
    return numbers.has(number) && [String(number), BigInt(number).toString()].includes(text)
  })
}

/**
 * Reads the profile. OpenID Connect: the claims of the id_token, and over them the userinfo with `idToken: false`.
 * OAuth: the userinfo. The preset may add data from elsewhere.
 *
 * @param response the authorization response, validated
 */
export async function loadProfile(
  provider: OAuthSettings,
  server: AuthorizationServer,
  grant: TokenGrant,
  response: URLSearchParams,
  context: OAuthContext,
): Promise<{ readonly profile: Profile } | Failed> {
  const source = await readSource(provider, server, grant, context)
  if (hasFailed(source)) return source
  const { readResponse, complete } = provider.preset
  try {
    const profile = readResponse?.(response, source.profile) ?? source.profile
    const send = outboundFetch(provider, context)
    return { profile: (await complete?.(profile, grant.tokens, send)) ?? profile }
  } catch (error) {
    const what = `Provider "${provider.id}": the preset could not read the profile`
    return failFrom(error, 'profile.unusable', what)
  }
}

async function readSource(
  provider: OAuthSettings,
  server: AuthorizationServer,
  { tokens, claims }: TokenGrant,
  context: OAuthContext,
): Promise<{ readonly profile: Profile } | Failed> {
  if (provider.type === 'oidc' && provider.idToken)
    return claims
      ? { profile: claims }
      : fail('profile.unusable', `Provider "${provider.id}": expected the claims of an id_token`)
  const subject = provider.type === 'oidc' ? (claims?.sub ?? undefined) : undefined
  const answer = await fetchUserinfo(provider, server, tokens, subject, context)
  if (hasFailed(answer)) return answer
  return { profile: provider.type === 'oidc' ? mergeClaims(claims, answer.userinfo) : answer.userinfo }
}

/**
 * Merges the userinfo into the claims of the id_token. `email_verified: true` applies only to the `email` in the same
 * object. `false` also applies to a different spelling of the address in the userinfo.
 */
function mergeClaims(claims: Profile | undefined, userinfo: Profile): Profile {
  const merged = { ...claims, ...userinfo }
  const isVouched = String(claims?.email_verified) === 'true' && userinfo.email_verified === undefined
  if (isVouched && merged.email !== claims?.email) delete merged.email_verified
  return merged
}
