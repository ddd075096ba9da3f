import type {
  GivenId,
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
} from '../types/provider.ts'
import type { Profile, TokenSet, User } from '../types/records.ts'
import { type Derived, fetchOf, preset, type Preset, type PresetHooks, readText } from './preset.ts'

type Data<Config, Own> = Omit<Preset<Config>, 'id' | 'type' | 'options'> & { readonly id: Own }

/** Creates an OpenID Connect provider. Without a `profile`, it maps the standard claims to a user. */
export function openId<P extends Profile, const Own extends string, Id extends GivenId>(
  options: OIDCUserConfig<P> & { id?: Id },
  data: Data<OIDCConfig<P>, Own>,
): Preset<OIDCConfig<P>, Own, Id> {
  return { type: 'oidc', profile: readStandardUser, ...data, options }
}

/** Creates an OAuth 2.0 provider. */
export function oauth2<P, const Own extends string, Id extends GivenId>(
  options: OAuthUserConfig<P> & { id?: Id },
  data: Data<OAuth2Config<P>, Own>,
): Preset<OAuth2Config<P>, Own, Id> {
  return { type: 'oauth', ...data, options }
}

/** Creates a user from claims that are text or integers. Without a usable id, the user has none. */
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

/** Maps the standard claims to a user (OpenID Connect Core section 5.1). */
export function readStandardUser(claims: Profile): User {
  const { sub: id, name, nickname, preferred_username: login, email, picture: image } = claims
  return makeUser({ id, name: firstText(name, nickname, login), email, image })
}

/** Returns the first claim that is not empty. */
export function firstText(...claims: readonly unknown[]): string | undefined {
  return claims.map(readText).find((text) => text !== undefined)
}

/** Joins the parts of a name that are present, or returns undefined. */
export function joinTexts(...parts: readonly unknown[]): string | undefined {
  return readText(parts.flatMap((part) => readText(part) ?? []).join(' '))
}

/** Returns the entries of a claim that is an array, or nothing for any other. */
export function listOf<T>(claim: readonly T[] | undefined): readonly T[] {
  return Array.isArray(claim) ? claim.filter((entry) => entry !== null && entry !== undefined) : []
}

/** Returns the member at a path, or undefined. */
export function readMember(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}

/** Derives data from the issuer, without a trailing slash. Derives nothing if there is no issuer. */
export function belowIssuer(derive: (root: string) => Derived): NonNullable<PresetHooks['derive']> {
  return ({ issuer }) => (issuer === undefined ? {} : derive(issuer.replace(/\/+$/, '')))
}

/**
 * For servers whose metadata and issuer are at a path below the URL that their console shows. Users may configure
 * either.
 */
export function issuerAt(path: string): NonNullable<PresetHooks['derive']> {
  return belowIssuer((root) => {
    const issuerTemplate = root.endsWith(path) ? root : `${root}${path}`
    return derivedIssuer(issuerTemplate, `${issuerTemplate}/.well-known/openid-configuration`)
  })
}

/** For servers whose issuer ends with a slash. Users may omit it. */
export const issuerWithSlash: NonNullable<PresetHooks['derive']> = belowIssuer((root) =>
  derivedIssuer(`${root}/`, `${root}/.well-known/openid-configuration`),
)

function derivedIssuer(issuerTemplate: string, wellKnown: string): Derived {
  return { wellKnown, [preset]: { issuerTemplate } }
}

/** Encodes text as one path segment. Lone surrogates are replaced. */
export function encodePath(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)))
}

/** Returns the Authorization header for the access token (RFC 6750 2.1). */
export function bearer({ access_token: token }: TokenSet): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/**
 * Sends a preset's own request for the user, without following redirects.
 * @throws Error if the response is not JSON, or its status is not 2xx
 */
export async function requestUser(provider: OAuthConfig, url: string, init: RequestInit): Promise<unknown> {
  const answer = await fetchOf(provider)(url, { ...init, redirect: 'manual' })
  if (!answer.ok) throw new Error(`${provider.name} responded with ${answer.status} for the user`)
  return answer.json()
}

/**
 * Converts a token response to the form of RFC 6749 5.1: removes null members, joins a list of scopes, and sets the
 * token type to bearer. An error, or anything that is not a JSON object, stays unchanged.
 */
export async function repairTokens(response: Response): Promise<Response | undefined> {
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
