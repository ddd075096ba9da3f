import type { AdapterUser } from '../../types/adapter.ts'
import type { CookieOption } from '../../types/cookie.ts'
import type { Awaitable, User } from '../../types/records.ts'

/** Declared beside the types, not the flow: the packed declarations of `authmachine/extend` include only this file. */
declare module '../../flows/engine/facts.ts' {
  interface Facts {
    /** The second factor that a change replaces or ends, if there is one. */
    readonly storedFactor: StoredFactor | undefined
  }
}

/** The second factor of an application, as `totp` of `authmachine/second-factor` returns it. */
export interface SecondFactor {
  /** The name of the application in authenticator apps. */
  readonly issuer: string
  /** Seconds for which a device can be remembered, or 0. */
  readonly rememberFor: number
  /** Returns the `otpauth:` URI of a secret, from which authenticator apps read it. */
  readonly describe: (secret: string, label: string) => Promise<string>
  /**
   * Returns the time step of a code, or undefined if it matches neither the current step nor one beside it.
   * @param now milliseconds since 1970
   */
  readonly findStep: (secret: string, code: string, now: number) => Promise<number | undefined>
}

/** The second factor of a user. The adapter stores it sealed, so that a copy of the database contains no secret. */
export interface FactorRecord {
  /** The user, so that nobody can move the record to another one. */
  readonly userId: string
  /** The shared secret in base32 (RFC 4648 6). */
  readonly secret: string
  /** The time step of the last accepted code. Codes of this step and of earlier ones are refused. */
  readonly step: number
  /**
   * When the challenge of the last accepted passkey was created, in milliseconds since 1970. This challenge and earlier
   * ones are refused. Absent in records of earlier versions until a passkey is accepted.
   */
  readonly challengedAt?: number
  /** Hashes of the recovery codes that are left. */
  readonly recovery: readonly string[]
  /** A random value that pending sign-ins and remembered devices contain. A new value ends them. */
  readonly binding: string
  /** Sign-ins that waited at this time or before have ended, in milliseconds since 1970. */
  readonly endedAt?: number
  /** Wrong codes and passkeys since the last right one. */
  readonly failures: number
  /** Codes and passkeys are refused before this time, in milliseconds since 1970. */
  readonly blockedUntil: number
}

/** A record, and the text that the adapter stores for it. */
export interface StoredFactor {
  readonly record: FactorRecord
  readonly sealed: string
}

/** The option that turns the feature on. */
export interface SecondFactorOption {
  /**
   * Asks users who enrolled a second factor for it, after every way to sign in. Use `totp` of
   * `authmachine/second-factor`. With a passkey provider, users can use a passkey in place of a code, unless they signed in
   * with a passkey. With this option, sessions have `amr` and `auth_time`.
   * @default none
   */
  secondFactor?: SecondFactor
}

/** The texts of its pages and of its section of the account page. */
export interface SecondFactorTexts {
  secondFactor: string
  factorOff: string
  factorOn: string
  useAnotherApp: string
  renewCodes: string
  turnOffFactor: string
  setUpApp: string
  enterCode: string
  enterCodeText: string
  noCodeText: string
  codeRefused: string
  scanCode: string
  /** `{link}` is the text `openInApp`, as a link. */
  addKey: string
  openInApp: string
  rememberDevice: string
  usePasskey: string
  passkeyFailed: string
  turnOn: string
  keepCodes: string
  keepCodesText: string
  downloadCodes: string
}

/** The cookie that only this feature has. */
export interface SecondFactorCookies {
  /** Proof that this browser may skip the second factor. */
  rememberedDevice: Partial<CookieOption>
}

/** A guess at a second factor. */
export interface SecondFactorAttempt {
  /**
   * A code of an authenticator app, or a passkey that replaces the code. The `provider` is the provider of the
   * first factor, or `second-factor` for a step-up.
   */
  type: 'second-factor'
  /** The id of the user. */
  account: string
}

/** The event of this feature. */
export interface SecondFactorEvents {
  /**
   * Called after a user enrolled an authenticator app, replaced the recovery codes, used one of them, or turned the
   * second factor off, and after your application removed it.
   */
  updateSecondFactor(message: {
    user: User | AdapterUser
    change: 'enrolled' | 'codes-renewed' | 'code-used' | 'removed'
  }): Awaitable<void>
}

/** The changes to an account that this feature makes. */
export type SecondFactorChange =
  | 'enrol-factor'
  | 'renew-recovery-codes'
  | 'remove-factor'
  | 'application-removes-factor'
  | 'use-recovery-code'
  | 'step-up'

/** The method of an instance with an adapter. */
export interface SecondFactorMethods {
  /**
   * Removes the second factor of a user who has lost the app and the recovery codes. First verify the identity of the
   * person who asks. Ends the user's sessions, remembered devices, and sign-ins that wait for a code. JWT sessions end
   * only with `jwt.revocations`. Calls the event `updateSecondFactor`, and `sendNotice`.
   *
   * @param userId the id of the user
   * @returns whether the user had a second factor
   * @throws MissingAdapterMethods if the adapter lacks `getUser` or `deleteFactor`
   * @throws AdapterError if the adapter fails
   * @example
   * await auth.removeSecondFactor(userId)
   */
  readonly removeSecondFactor: (userId: string) => Promise<boolean>
}
