import type { EmailSettings, Settings } from '../../config/settings.ts'
import { randomHex } from '../../crypto/random.ts'
import type { RequestedCode } from './requested-code.ts'
import type { Platform } from '../../types/config.ts'
import { hashesOf } from '../shared/mailed-proof.ts'

/** How many guesses at a code are compared (ASVS 6.6.3). */
export const maxAttempts = 5

const codeLength = 6

/**
 * Creates six random digits. The remainder of 64 random bits needs no loop, and differs from a uniform choice by less
 * than one in 10^13.
 */
export function mintCode({ randomBytes }: Platform): string {
  const bytes = new DataView(Uint8Array.from(randomBytes(8)).buffer)
  return String(bytes.getBigUint64(0) % 10n ** BigInt(codeLength)).padStart(codeLength, '0')
}

/** Creates the secret part of the tokens of a code's rows. */
export function mintNonce({ randomBytes }: Platform): string {
  return randomHex(randomBytes)
}

/** The hashes of a code, one for each secret, the newest first. */
export function hashesOfCode(
  code: string,
  { nonce }: Pick<RequestedCode, 'nonce'>,
  provider: EmailSettings,
  settings: Settings,
): Promise<readonly string[]> {
  return hashesOf(`code ${nonce} ${code}`, provider, settings)
}

/** The tokens of the row that stands for an attempt, one for each secret, the newest first. */
export function tokensOfAttempt(
  { nonce, attempt }: Pick<RequestedCode, 'nonce' | 'attempt'>,
  provider: EmailSettings,
  settings: Settings,
): Promise<readonly string[]> {
  return hashesOf(`attempt ${nonce} ${attempt}`, provider, settings)
}
