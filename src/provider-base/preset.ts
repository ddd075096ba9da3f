import { customFetch } from '../types/symbols.ts'
import type { Identified, OAuthConfig } from '../types/provider.ts'
import type { Awaitable, Profile, TokenSet } from '../types/records.ts'

/** Key of the hooks that a preset needs beyond its options. */
export const preset: unique symbol = Symbol.for('authmachine.preset')

/** The hooks of a preset. */
export interface PresetHooks {
  /** Wraps the fetch for its endpoints. The user's `customFetch` is inside. */
  readonly fetch?: (inner: typeof fetch) => typeof fetch
  /**
   * The issuer in metadata and tokens, if it differs from the configured one. `{tenantid}` stands for the token's
   * `tid`.
   */
  readonly issuerTemplate?: string
  /** Sends no scope unless one is configured, because the provider has no scopes, or takes them from its console. */
  readonly scopeless?: boolean
  /**
   * Derives data from issuer and client id, which the environment may set after the preset was created. Overrides the
   * preset's data; the user's options override it.
   */
  readonly derive?: (known: { readonly issuer?: string; readonly clientId?: string }) => Derived
  /** Adds user data from the authorization response to the profile. */
  readonly readResponse?: (response: URLSearchParams, profile: Profile) => Profile
  /**
   * Adds data that needs a separate request, after `readResponse` and before `profile`. `send` is the library's
   * fetch, with deadline, limits and the user's customFetch. Returns the profile unchanged if the request fails.
   */
  readonly complete?: (profile: Profile, tokens: TokenSet, send: typeof fetch) => Awaitable<Profile>
}

/** The data that a preset derives from its options. */
export type Derived = Partial<Omit<OAuthConfig<never>, 'type' | 'options'>> & {
  readonly [preset]?: Pick<PresetHooks, 'issuerTemplate'>
}

/** The configuration of a provider as returned by its preset, with the preset's own id and the option `id`. */
export type Preset<Config, Own extends string = string, Given = unknown> = Identified<Config, Own, Given> & {
  readonly [preset]?: PresetHooks
}

/**
 * Returns the fetch for a hook's own requests. The library calls hooks with its own fetch under `customFetch`, so that
 * deadline, limits and User-Agent hold there too.
 *
 * @throws {TypeError} when the hook was called without one
 */
export function fetchOf(provider: { readonly [customFetch]?: typeof fetch }): typeof fetch {
  const send = provider[customFetch]
  if (send === undefined) throw new TypeError('A provider hook needs a fetch under the customFetch symbol')
  return send
}

/**
 * Returns a claim as text, or undefined if it is empty. Integers become text. Integers beyond 2^53 count as missing:
 * they were rounded when they were parsed, so two accounts could share one.
 */
export function readText(claim: unknown): string | undefined {
  if (typeof claim === 'number') return Number.isSafeInteger(claim) ? String(claim) : undefined
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}
