import { normalise } from './normalise.ts'

/** A proof that a user types: a code from a mail or an authenticator app, a recovery code, or a password. */
export type SecretKind = keyof typeof readers

/** Maximum bytes of a password, in UTF-8 and NFC. */
const passwordBytes = 1024
/** Maximum code units of a password: NFC makes at most three of them one character of two bytes. */
export const longestPassword = 1.5 * passwordBytes

/** Maximum code units of a code, which has six digits, and of a recovery code of 24 letters, with separators. */
const [longestCode, longestRecoveryCode] = [64, 128]

const readers = {
  code: (typed: string) => matching(/^\d+$/, fold(typed, longestCode)),
  recoveryCode: (typed: string) =>
    matching(/^[a-z2-7]{24}$/, fold(typed, longestRecoveryCode)?.toLowerCase()),
  password: readPassword,
} as const

/**
 * Reads a secret that a user typed, before anything else uses it. Limits its length first, because clients can send
 * 100 kB, and returns it in the form that is compared or hashed:
 *
 * - codes without white space, dashes and invisible characters, with the digits of any script in ASCII
 * - recovery codes likewise, in lower case
 * - passwords in NFC (NIST SP 800-63B-4 3.1.1.2, RFC 8265 4.2.2): keyboards encode the same character in several ways
 *
 * @returns undefined for anything that cannot be such a secret: another type, another form, or too long
 */
export function readSecret(kind: SecretKind, typed: unknown): string | undefined {
  return typeof typed === 'string' ? readers[kind](typed) : undefined
}

/** Removes separators that mail programs and people write between groups. */
function fold(typed: string, longest: number): string | undefined {
  return normalise(typed, 'NFKC', longest)
    ?.replaceAll(/[\s\p{Pd}\p{Cf}\u2212]/gu, '')
    .replaceAll(/(?!\d)\p{Nd}/gu, toAscii)
}

/** Unicode has decimal digits in rows of ten, from 0 to 9, and some rows follow one another. */
function toAscii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}

function matching(shape: RegExp, text: string | undefined): string | undefined {
  return text !== undefined && shape.test(text) ? text : undefined
}

/** Hashing takes far longer than sorting marks, so hashes of passwords with many of them keep matching. */
function readPassword(typed: string): string | undefined {
  if (typed.length > longestPassword) return undefined
  const text = typed.normalize('NFC')
  return new TextEncoder().encode(text).length <= passwordBytes ? text : undefined
}
