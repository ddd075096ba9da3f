import type { Profile } from '../types/records.ts'

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
}
