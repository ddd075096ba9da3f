import { normalise } from './normalise.ts'

/** A proof that a user types: a code from a mail or an authenticator app, or a password. */
export type SecretKind = keyof typeof readers

/** Maximum bytes of a password, in UTF-8 and NFC. */
const passwordBytes = 1024
/** Maximum code units of a password: NFC makes at most three of them one character of two bytes. */
export const longestPassword = 1.5 * passwordBytes

/** Maximum code units of a code, which has six digits, with separators. */
const longestCode = 64

const readers = {
  code: (typed: string) => readCode(typed, /^\d+$/, longestCode),
  password: readPassword,
} as const

/**
 * Reads a secret that a user typed, before anything else uses it. Limits its length first, because clients can send
 * 100 kB, and returns it in the form that is compared or hashed:
 *
 * - codes without white space, dashes and invisible characters, with the digits of any script in ASCII
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

/** Reads a code of another form in the same way, in lower case. */
export function readCode(typed: string, shape: RegExp, longest: number): string | undefined {
  const text = fold(typed, longest)?.toLowerCase()
  return text !== undefined && shape.test(text) ? text : undefined
}

/** Hashing takes far longer than sorting marks, so hashes of passwords with many of them keep matching. */
function readPassword(typed: string): string | undefined {
  if (typed.length > longestPassword) return undefined
  const text = typed.normalize('NFC')
  return new TextEncoder().encode(text).length <= passwordBytes ? text : undefined
}
