import type { OptionalAttempt } from '../features/types.ts'

/** Refuses an attempt until a later time. */
export interface RateLimitRefusal {
  /** Seconds until the next attempt may succeed, rounded up. Anything but a positive number sets no `Retry-After`. */
  readonly retryAfter: number
}

/**
 * An attempt that can be limited: sending a mail, guessing a link token, a code, a password or a second factor,
 * creating a passkey challenge, or what a feature of the site does.
 */
export type RateLimitParams = {
  /** The id of the provider. */
  provider: string
  /** The request, with the headers of your proxy, such as the client's IP address. */
  request: Request
} & (
  | {
      type: 'email'
      /** The address that a mail would be sent to, in canonical form. */
      identifier: string
    }
  | {
      type: 'verification'
      /**
       * For a link, the address in the link, in canonical form. Anyone can create a link with any address. For a code,
       * the address for which this browser requested the code.
       */
      identifier: string
    }
  | {
      type: 'credentials'
      /** The submitted fields, not validated. */
      credentials: Record<string, unknown>
      /** The address of the account in canonical form, for a provider of `authmachine/password`. */
      account?: string
    }
  | OptionalAttempt
  | {
      /** A feature of the site (`authmachine/extend`) asks. The `provider` is the name of the feature. */
      type: 'feature'
      /** What it is about to do, such as `message` or `code`. The feature documents its attempts. */
      attempt: string
      /** What the attempt is about, such as a phone number, as the feature names it. Absent if it is about nothing yet. */
      identifier?: string | undefined
    }
)
