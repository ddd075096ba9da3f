import { customFetch } from '../symbols.ts'
import type { OAuthConfig } from '../types/provider.ts'
import type { Awaitable, Profile, TokenSet } from '../types/records.ts'

/** Key under which a preset carries what no option expresses. */
export const preset: unique symbol = Symbol.for('authmachine.preset')

/** What a preset does beside being data. */
export interface PresetHooks {
  /** Wraps the fetch for its endpoints (the user's customFetch is inside). */
  readonly fetch?: (inner: typeof fetch) => typeof fetch
  /** Issuer that metadata and tokens name in place of the configured one; `{tenantid}` stands for the token's `tid`. */
  readonly issuerTemplate?: string
  /** The provider knows no scopes, or takes them from its console: none are asked for unless they are configured. */
  readonly scopeless?: boolean
  /**
   * Data that follows from the issuer or the client id, which may come from the environment after the preset was made.
   * Lies over the preset's data and under the user's options.
   */
  readonly derive?: (known: { readonly issuer?: string; readonly clientId?: string }) => Derived
  /** Adds what the authorization response itself says of the user to the profile. */
  readonly readResponse?: (response: URLSearchParams, profile: Profile) => Profile
  /**
   * Adds what takes a request of its own, after `readResponse` and before `profile`. `send` is the library's fetch, with
   * deadline, limits and the user's customFetch. Answers the profile unchanged where the request fails.
   */
  readonly complete?: (profile: Profile, tokens: TokenSet, send: typeof fetch) => Awaitable<Profile>
}

/** What a preset derives from its options. */
export type Derived = Partial<Omit<OAuthConfig<never>, 'type' | 'options'>> & {
  readonly [preset]?: Pick<PresetHooks, 'issuerTemplate'>
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
