import { systemPlatform } from '../../platform/clock.ts'
import { environmentSecrets, readEnvironment } from '../../config/environment.ts'
import { encodeBase64url } from '../../crypto/bytes.ts'
import { requireSecrets } from '../../token/derive-keys.ts'
import { createKeyring } from '../../token/keyring.ts'
import { factorText } from './factor-record.ts'
import { sealedText } from '../../token/sealed.ts'

/** Base32 of at least ten bytes, without padding. */
const shape = /^[A-Z2-7]{16,128}$/

/**
 * Seals the secret of an authenticator app that a user enrolled elsewhere, for `setFactor` of the adapter, for example in a
 * script that moves users here. Codes must have six digits, steps of 30 seconds and SHA-1, as authenticator apps expect. The
 * user has no recovery codes.
 *
 * @param userId the id of the user
 * @param secret in base32 (RFC 4648 6). Case, spaces, dashes and padding do not matter
 * @param authSecret the `secret` of the configuration; of several, the first
 * @default authSecret the variables `AUTH_SECRET`
 * @returns the text to store. It works for this user only
 * @throws TypeError if the id is empty, or the secret is not base32 of 10 to 80 bytes
 * @throws MissingSecret without a secret
 * @example await adapter.setFactor(user.id, await sealTotpSecret(user.id, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'))
 */
export async function sealTotpSecret(
  userId: string,
  secret: string,
  authSecret: string | readonly string[] = environmentSecrets(readEnvironment()) ?? [],
): Promise<string> {
  if (typeof userId !== 'string' || userId === '')
    throw new TypeError('`sealTotpSecret` needs the id of a user')
  const read = typeof secret === 'string' ? secret.toUpperCase().replaceAll(/[\s=-]/g, '') : ''
  // Not in the message: it is a secret.
  if (!shape.test(read)) throw new TypeError('`sealTotpSecret` needs a secret in base32, of 10 to 80 bytes')
  const { now, randomBytes } = systemPlatform
  const record = {
    userId,
    secret: read,
    step: 0,
    challengedAt: now(),
    recovery: [],
    binding: encodeBase64url(randomBytes(16)),
    failures: 0,
    blockedUntil: 0,
  }
  const keys = createKeyring(requireSecrets(authSecret), systemPlatform)
  return factorText.seal(record, { keys, platform: systemPlatform })
}

/** A secret that the user has not confirmed yet. The form contains it sealed. */
export interface FactorSetup {
  readonly userId: string
  /** In base32. */
  readonly secret: string
}

/** The secret in the form. */
export const setupField = sealedText<FactorSetup, 'userId'>({
  purpose: 'authmachine.factor-setup',
  // Within fifteen minutes, the user must enter the first code.
  maxAge: 900,
  boundTo: ['userId'],
  read: ({ userId, secret }) => (typeof secret === 'string' ? { userId: String(userId), secret } : undefined),
})
