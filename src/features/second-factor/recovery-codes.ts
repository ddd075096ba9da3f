import { equalsInConstantTime, sha256Base64url } from '../../crypto/hash.ts'
import { readCode } from '../../text/typed-secret.ts'
import type { Platform } from '../../types/config.ts'
import { encodeBase32 } from './totp.ts'

/** How many codes a user gets. */
const codeCount = 10
/** 120 random bits need no slow hash (ASVS 6.5.2), and are 24 letters without padding. */
const codeBytes = 15
/** Maximum code units of a code, with separators. */
const longestCode = 128

/** Codes that the user sees once, and the hashes that are stored. */
export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[]
  readonly recovery: readonly string[]
}

/** Creates new codes of a user, in groups of six letters and digits. */
export async function mintRecoveryCodes(
  userId: string,
  { randomBytes }: Pick<Platform, 'randomBytes'>,
): Promise<RecoveryCodes> {
  const recoveryCodes = Array.from({ length: codeCount }, () =>
    (encodeBase32(randomBytes(codeBytes)).toLowerCase().match(/.{6}/g) ?? []).join('-'),
  )
  const recovery = await Promise.all(recoveryCodes.map(async (code) => hashRecoveryCode(code, userId)))
  return { recoveryCodes, recovery }
}

/** Reads a code that a user typed, in lower case. Returns undefined for anything that cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  return readCode(typed, /^[a-z2-7]{24}$/, longestCode)
}

/** Returns the hash of a code of a user. */
export async function hashRecoveryCode(code: string, userId: string): Promise<string> {
  return sha256Base64url(JSON.stringify(['recovery code', String(userId), readRecoveryCode(code)]))
}

/** Returns the hashes without the hash of a code, or undefined if they do not contain it. Compares all of them. */
export function removeHash(hashes: readonly string[], hash: string): readonly string[] | undefined {
  const others = hashes.filter((each) => !equalsInConstantTime(each, hash))
  return others.length < hashes.length ? others : undefined
}
