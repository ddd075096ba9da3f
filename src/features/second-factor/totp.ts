import { once } from '../../async/once.ts'
import type { SecondFactor } from './types.ts'

/** Options of {@link totp}. */
export interface TotpOptions {
  /** The name of your application, as authenticator apps show it. No colon. */
  readonly issuer: string
  /**
   * Seconds for which a user can skip the second factor on a device, or 0. Such a sign-in does not count as a sign-in
   * with a second factor.
   * @default 0
   */
  readonly rememberFor?: number
}

/** Seconds of a time step (RFC 6238 4.1). */
const period = 30

/** Authenticator apps ignore other algorithms and lengths. */
const parameters = { algorithm: 'SHA1', digits: 6, period } as const

/**
 * Asks users who enrolled an authenticator app for its code (TOTP, RFC 6238) or for a recovery code, after any first
 * factor. With a passkey provider, a passkey of the user can replace the code, unless the first factor was a passkey.
 * Users enrol at `/auth/factor-enrolment`. Needs the package `otpauth`, which you install, and an adapter with
 * `getFactor`, `setFactor` and `deleteFactor`.
 *
 * @param options the name of the application, and for how long devices are remembered
 * @returns the value for `secondFactor` of the configuration
 * @throws TypeError if an option is invalid
 * @example createAuth({ secondFactor: totp({ issuer: 'Example' }), adapter, providers })
 */
export function totp({ issuer, rememberFor = 0 }: TotpOptions): SecondFactor {
  if (typeof issuer !== 'string' || issuer.trim() === '' || issuer.includes(':'))
    throw new TypeError('`issuer` must be a name without a colon')
  if (!(Number.isFinite(rememberFor) && rememberFor >= 0 && rememberFor <= longest))
    throw new TypeError('`rememberFor` must be a number of seconds, at most a year')
  return {
    issuer,
    rememberFor,
    async describe(secret, label) {
      const { Secret, TOTP } = await load()
      return new TOTP({ ...parameters, issuer, label, secret: Secret.fromBase32(secret) }).toString()
    },
    async findStep(secret, code, now) {
      const { Secret, TOTP } = await load()
      const found = new TOTP({ ...parameters, secret: Secret.fromBase32(secret) })
      const delta = found.validate({ token: code, timestamp: now, window: 1 })
      return delta === null ? undefined : Math.floor(now / 1000 / period) + delta
    },
  }
}

/** Seconds of a year. */
const longest = 366 * 86_400

const load = once(async () => {
  try {
    return await import('otpauth')
  } catch (error) {
    throw new Error('`authmachine/second-factor` needs the package `otpauth`. Install it', { cause: error })
  }
})

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 (RFC 4648 6), without padding. Their number must be a multiple of five. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((group) => alphabet[Number.parseInt(group, 2)]).join('')
}
