import type { GivenId, OAuth2Config, OAuthUserConfig, UserinfoEndpointHandler } from '../types/provider.ts'
import type { ProviderProfile, TokenSet, User } from '../types/records.ts'
import { fetchOf, type Preset, readText } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of GitHub that the preset reads; any further member is kept. */
export interface GitHubProfile extends ProviderProfile {
  id: number
  login: string
  name: string | null
  /** The public address, or the primary one of `/user/emails`. */
  email: string | null
  avatar_url: string
  /** Only present for an address from `/user/emails`. */
  email_verified?: boolean
}

interface GitHubOptions extends OAuthUserConfig<GitHubProfile> {
  /** A GitHub Enterprise Server, by its URL, such as `https://github.example.com`. */
  readonly enterprise?: { readonly baseUrl?: string }
}

/**
 * Signs users in with GitHub, or with a GitHub Enterprise Server.
 *
 * Register an OAuth app at https://github.com/settings/developers, with the callback URL
 * `https://<host>/auth/callback/github`. A GitHub App works too; give it read access to e-mail addresses.
 *
 * Options: `clientId`, `clientSecret`, `enterprise.baseUrl`, and any of `OAuthUserConfig`. Claims: id, name (else login),
 * email (else of `/user/emails`), avatar_url.
 *
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @example providers: [GitHub({ clientId: '...', clientSecret: '...' })]
 */
export default function GitHub<const Id extends GivenId = GivenId>(
  options: GitHubOptions & { id?: Id } = {},
): Preset<OAuth2Config<GitHubProfile>, 'github', Id> {
  const enterprise = options.enterprise?.baseUrl?.replace(/\/+$/, '')
  const site = enterprise ?? 'https://github.com'
  const api = enterprise === undefined ? 'https://api.github.com' : `${enterprise}/api/v3`
  return {
    id: 'github',
    name: 'GitHub',
    type: 'oauth',
    // GitHub sends its issuer in the response (RFC 9207), which is compared with this.
    issuer: `${site}/login/oauth`,
    authorization: { url: `${site}/login/oauth/authorize`, params: { scope: 'read:user user:email' } },
    token: `${site}/login/oauth/access_token`,
    userinfo: {
      url: `${api}/user`,
      request: ({ tokens, provider }) => readUser(fetchOf(provider), api, tokens),
    } satisfies UserinfoEndpointHandler,
    profile: toUser,
    style: { brandColor: '#24292f', mark: marks.github },
    options,
  }
}

function toUser(profile: GitHubProfile): User {
  return {
    id: readText(profile.id),
    name: readText(profile.name) ?? readText(profile.login) ?? null,
    email: readText(profile.email) ?? null,
    image: readText(profile.avatar_url) ?? null,
  }
}

/** Returns the user. If the profile has no address, it comes from the list of addresses. */
async function readUser(send: typeof fetch, api: string, tokens: TokenSet): Promise<unknown> {
  const answer = await get(send, `${api}/user`, tokens)
  if (!answer.ok) throw new Error(`GitHub responded with ${answer.status} for the user`)
  const user: unknown = await answer.json()
  if (typeof user !== 'object' || user === null || ('email' in user && readText(user.email))) return user
  const list = await get(send, `${api}/user/emails`, tokens)
  // Without permission to read addresses, the user signs in without one. Other errors may be temporary, so they must
  // not be stored as "no address".
  if (list.status === 403 || list.status === 404) return user
  if (!list.ok) throw new Error(`GitHub responded with ${list.status} for the addresses`)
  return { ...user, ...pickAddress(await list.json()) }
}

function get(send: typeof fetch, url: string, tokens: TokenSet): Promise<Response> {
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${tokens.access_token}` }
  return send(url, { headers, redirect: 'manual' })
}

interface Address {
  readonly email: string
  readonly primary: boolean
  readonly verified: boolean
}

/** Prefers verified addresses, then the primary one. The profile records whether the address is verified. */
function pickAddress(list: unknown): Pick<GitHubProfile, 'email' | 'email_verified'> | undefined {
  if (!Array.isArray(list)) return undefined
  const [best] = list.flatMap(readAddress).toSorted((a, b) => rank(b) - rank(a))
  return best && { email: best.email, email_verified: best.verified }
}

function rank({ verified, primary }: Address): number {
  return Number(verified) * 2 + Number(primary)
}

function readAddress(entry: unknown): Address[] {
  if (typeof entry !== 'object' || entry === null) return []
  const { email, primary, verified } = entry as Record<string, unknown>
  const text = readText(email)
  return text === undefined ? [] : [{ email: text, primary: primary === true, verified: verified === true }]
}
