import { customFetch } from '../symbols.ts'
import type { Awaitable, Profile, TokenSet, User } from '../types/records.ts'

/** Key under which a preset carries what no option expresses. */
export const preset: unique symbol = Symbol.for('authmachine.preset')

/** What a preset does beside being data. */
export interface PresetHooks {
  /** Wraps the fetch for its endpoints (the user's customFetch is inside). */
  readonly fetch?: (inner: typeof fetch) => typeof fetch
  /** Issuer of a multi-tenant provider; `{tenantid}` stands for the `tid` claim of the token. */
  readonly issuerTemplate?: string
  /** Adds what the authorization response itself says of the user to the profile. */
  readonly readResponse?: (response: URLSearchParams, profile: Profile) => Profile
  /**
   * Adds what takes a request of its own, after `readResponse` and before `profile`. `send` is the library's fetch, with
   * deadline, limits and the user's customFetch. Answers the profile unchanged where the request fails.
   */
  readonly complete?: (profile: Profile, tokens: TokenSet, send: typeof fetch) => Awaitable<Profile>
}

/** A provider's configuration as its preset makes it. */
export type Preset<Config> = Config & { readonly [preset]?: PresetHooks }

/**
 * The fetch for a hook's own requests. The library calls hooks with its own fetch under `customFetch`, so that deadline,
 * limits and User-Agent hold there too.
 *
 * @throws {TypeError} when the hook was called without one
 */
export function fetchOf(provider: { readonly [customFetch]?: typeof fetch }): typeof fetch {
  const send = provider[customFetch]
  if (send === undefined) throw new TypeError('A provider hook needs a fetch under the customFetch symbol')
  return send
}

/**
 * A claim as text, undefined when it says nothing. Integers become text; those beyond 2^53 were rounded when they were
 * parsed, so that two accounts could share one, and count as missing.
 */
export function readText(claim: unknown): string | undefined {
  if (typeof claim === 'number') return Number.isSafeInteger(claim) ? String(claim) : undefined
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}

/** The user of the standard claims (OpenID Connect Core section 5.1). Without a usable `sub` there is no id. */
export function readStandardUser(claims: Profile): User {
  return {
    id: readText(claims.sub),
    name: readText(claims.name) ?? readText(claims.nickname) ?? readText(claims.preferred_username) ?? null,
    email: readText(claims.email) ?? null,
    image: readText(claims.picture) ?? null,
  }
}
