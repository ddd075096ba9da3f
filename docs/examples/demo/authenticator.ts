import { Secret, TOTP } from 'otpauth'
import type { SecondFactor } from '../../../src/features/second-factor/types.ts'

/** An account in the app, with the code of this moment. */
export interface ShownCode {
  readonly label: string
  readonly code: string
  /** The start of the key, which tells two keys of an account apart. */
  readonly key: string
}

/** Replaces the authenticator app on a phone, for visitors without one. */
export interface Authenticator {
  /** Returns a second factor whose keys the app gets as soon as a page shows them. */
  readonly scan: (factor: SecondFactor) => SecondFactor
  /** Returns the accounts, the newest first. */
  readonly list: () => readonly ShownCode[]
}

const capacity = 50

export function createAuthenticator(): Authenticator {
  let keys: ReadonlyMap<string, string> = new Map()
  return {
    scan: (factor) => ({
      ...factor,
      describe(secret, label) {
        const others = [...keys].filter(([known]) => known !== secret)
        keys = new Map([[secret, label] as const, ...others].slice(0, capacity))
        return factor.describe(secret, label)
      },
    }),
    list: () =>
      [...keys].map(([secret, label]) => ({ label, code: readCode(secret), key: secret.slice(0, 4) })),
  }
}

/** Returns the code of a key, at this moment or at another one. */
export function readCode(key: string, timestamp = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({ timestamp })
}
