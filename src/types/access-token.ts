import type { Account } from './records.ts'

/** What an account's access token is worth now. */
export type AccessTokenAnswer =
  | {
      /**
       * `current` works for another minute at least, or was refreshed just now. `stale` could not be refreshed for now
       * and may have expired: try again later.
       */
      readonly state: 'current' | 'stale'
      /** Empty where none was stored, which only `stale` can be. */
      readonly accessToken: string
      /** Seconds since 1970, when the provider said so. */
      readonly expiresAt?: number
    }
  | {
      /** There is nothing to refresh with, or the provider refused it for good: its user has to sign in again. */
      readonly state: 'lapsed'
    }

/** Which account it is about. */
export type AccountKey = Pick<Account, 'provider' | 'providerAccountId'>
