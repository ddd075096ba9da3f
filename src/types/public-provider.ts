import type { Account, ProviderType } from './records.ts'

/** A provider as the providers route returns it. */
export interface PublicProvider {
  /** Identifies the provider. */
  id: string
  /** The label on the sign-in button. */
  name: string
  /** The protocol of the provider. */
  type: ProviderType
  /** The URL that starts a sign-in, by POST. */
  signinUrl: string
  /** The URL to register at the provider. */
  callbackUrl: string
}

/** A provider after it was resolved. */
export type AppProvider = PublicProvider & { readonly [option: string]: unknown }

/** The members that identify an account. */
export type ProviderAccount = Pick<Account, 'provider' | 'providerAccountId' | 'type'>
