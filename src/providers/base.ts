import type {
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
} from '../types/provider.ts'
import type { Profile, TokenSet, User } from '../types/records.ts'
import { type Derived, fetchOf, preset, type Preset, type PresetHooks, readText } from './preset.ts'

type Data<Config> = Omit<Preset<Config>, 'type' | 'options'>

/** An OpenID provider of this data, its user made of the standard claims unless the data has a `profile`. */
export function openId<P extends Profile>(
  options: OIDCUserConfig<P>,
  data: Data<OIDCConfig<P>>,
): Preset<OIDCConfig<P>> {
  return { type: 'oidc', profile: readStandardUser, ...data, options }
}

/** An OAuth 2.0 provider of this data. */
export function oauth2<P>(options: OAuthUserConfig<P>, data: Data<OAuth2Config<P>>): Preset<OAuth2Config<P>> {
  return { type: 'oauth', ...data, options }
}

/** A user of claims, as far as they are text or whole numbers. Without a usable id there is none. */
export function makeUser(claims: {
  readonly id: unknown
  readonly name?: unknown
  readonly email?: unknown
  readonly image?: unknown
}): User {
  return {
    id: readText(claims.id),
    name: readText(claims.name) ?? null,
    email: readText(claims.email) ?? null,
    image: readText(claims.image) ?? null,
  }
}

/** The user of the standard claims (OpenID Connect Core section 5.1). */
export function readStandardUser(claims: Profile): User {
  const { sub: id, name, nickname, preferred_username: login, email, picture: image } = claims
  return makeUser({ id, name: firstText(name, nickname, login), email, image })
}

/** The first claim that says something. */
export function firstText(...claims: readonly unknown[]): string | undefined {
  return claims.map(readText).find((text) => text !== undefined)
}

/** The parts of a name that are there, as one; undefined when none is. */
export function joinTexts(...parts: readonly unknown[]): string | undefined {
  return readText(parts.flatMap((part) => readText(part) ?? []).join(' '))
}

/** The entries of a claim that is a list, and nothing of any other. */
export function listOf<T>(claim: readonly T[] | undefined): readonly T[] {
  return Array.isArray(claim) ? claim.filter((entry) => entry !== null && entry !== undefined) : []
}

/** A member at the end of a path; undefined where the path ends before. */
export function readMember(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}

/** What follows from the issuer, which comes without a slash at its end; nothing while there is none. */
export function belowIssuer(derive: (root: string) => Derived): NonNullable<PresetHooks['derive']> {
  return ({ issuer }) => (issuer === undefined ? {} : derive(issuer.replace(/\/+$/, '')))
}

/**
 * For a server that has its metadata and its issuer at a path below the URL that its console shows. Either may be
 * configured.
 */
export function issuerAt(path: string): NonNullable<PresetHooks['derive']> {
  return belowIssuer((root) => {
    const issuerTemplate = root.endsWith(path) ? root : `${root}${path}`
    return derivedIssuer(issuerTemplate, `${issuerTemplate}/.well-known/openid-configuration`)
  })
}

/** For a server whose issuer ends with a slash, whether the configured one does or not. */
export const issuerWithSlash: NonNullable<PresetHooks['derive']> = belowIssuer((root) =>
  derivedIssuer(`${root}/`, `${root}/.well-known/openid-configuration`),
)

function derivedIssuer(issuerTemplate: string, wellKnown: string): Derived {
  return { wellKnown, [preset]: { issuerTemplate } }
}

/** Text as one segment of a path; what is no Unicode in it is replaced. */
export function encodePath(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)))
}

/** The header of a request on behalf of the user (RFC 6750 2.1). */
export function bearer({ access_token: token }: TokenSet): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/**
 * Sends a preset's own request for the user, following no redirect.
 * @throws {Error} when the answer is not JSON, or its status is not 2xx
 */
export async function requestUser(provider: OAuthConfig, url: string, init: RequestInit): Promise<unknown> {
  const answer = await fetchOf(provider)(url, { ...init, redirect: 'manual' })
  if (!answer.ok) throw new Error(`${provider.name} answered ${answer.status} for the user`)
  return answer.json()
}

/**
 * Brings tokens into the shape of RFC 6749 5.1: members that are null are left out, scopes in a list become text, and
 * tokens are of type bearer, whatever they are called. Anything that is no JSON object, or an error, stays as it is.
 */
export async function mendTokens(response: Response): Promise<Response | undefined> {
  const body: unknown = response.ok ? await response.json().catch(() => undefined) : undefined
  if (typeof body !== 'object' || body === null || readMember(body, 'error')) return undefined
  const members = Object.entries(body)
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, unknown] => [name, mendMember(name, value)])
  return Response.json({ ...Object.fromEntries(members), token_type: 'bearer' })
}

function mendMember(name: string, value: unknown): unknown {
  return name === 'scope' && Array.isArray(value) ? value.join(' ') : value
}
