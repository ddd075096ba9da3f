import type { AdapterAccount, AdapterAuthenticator } from '../types/adapter.ts'

/** A way to sign in that the user can remove: an account at a provider, or a passkey with its account. */
export interface Way {
  /** Identifies it in forms, without the id of the account. */
  readonly id: string
  readonly account: AdapterAccount
  readonly passkey?: AdapterAuthenticator | undefined
}
