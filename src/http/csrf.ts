import { equalsInConstantTime } from '../crypto/constant-time.ts'
import { sha256Hex } from '../crypto/hash.ts'
import type { MaybePromise } from '../crypto/maybe-promise.ts'
import { whenReady } from '../crypto/maybe-promise.ts'
import { randomHex } from '../crypto/random.ts'

export interface Csrf {
  /** What a form has to send along. */
  readonly token: string
  /** Value of the cookie: the token, and a hash which shows that we made it. */
  readonly cookie: string
}

/** Makes a CSRF token of 32 random bytes in hex, and a cookie signed with the first of the secrets. */
export function mintCsrf(
  secrets: readonly string[],
  randomBytes: (length: number) => Uint8Array,
): MaybePromise<Csrf> {
  const token = randomHex(randomBytes)
  return whenReady(sign(token, secrets[0]), (hash) => ({ token, cookie: `${token}|${hash}` }))
}

/**
 * The token of a CSRF cookie, when one of the secrets made it (decision 25). The token's form is fixed: with any other,
 * the border between it and the secret could be moved under the same hash.
 */
export function readCsrf(
  cookieValue: string | undefined,
  secrets: readonly string[],
): MaybePromise<string | undefined> {
  const [, token, given] = /^([0-9a-f]{64})\|([0-9a-f]{64})$/.exec(cookieValue ?? '') ?? []
  if (token === undefined || given === undefined) return undefined
  const [first, ...others] = secrets
  return whenReady(sign(token, first), (hash) => {
    if (equalsInConstantTime(hash, given)) return token
    return others.length > 0 ? readCsrf(cookieValue, others) : undefined
  })
}

/** Is this the token, as a request's body brought it? */
export function matchesCsrf(token: string, submitted: unknown): boolean {
  return typeof submitted === 'string' && equalsInConstantTime(token, submitted)
}

function sign(token: string, secret: string | undefined): MaybePromise<string> {
  // An empty secret would let anybody make tokens; the configuration is checked before, this holds without it.
  if (!secret) throw new TypeError('A CSRF token needs a secret')
  return sha256Hex(`${token}${secret}`)
}
