import { AdapterError } from '../errors/classes.ts'
import { type FactorRecord, type StoredFactor, readFactor, type Vault, writeFactor } from './factor-record.ts'
import { encodeBase64url } from '../crypto/bytes.ts'

/** Maximum number of attempts if other requests change the factor in the meantime. */
const attempts = 5

/**
 * Changes the second factor of a user, if there is one.
 * @throws AdapterError if other requests keep changing it
 */
export async function changeFactor(
  userId: string,
  change: (record: FactorRecord) => FactorRecord,
  vault: Vault,
): Promise<StoredFactor | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const held = await readFactor(userId, vault)
    const written = held && (await writeFactor(change(held.record), held, vault))
    if (!held || written) return written
  }
  throw new AdapterError('Other requests keep changing the second factor of the user')
}

/** Ends the sign-ins of a user that wait for the second factor now. Remembered devices stay. */
export async function endHeldSignIns(userId: string, vault: Vault): Promise<void> {
  const endedAt = vault.platform.now()
  await changeFactor(userId, (record) => ({ ...record, endedAt }), vault)
}

/** Returns whether a sign-in, whose first factor was proven at this time, still waits for this second factor. */
export function isAwaited(binding: string | undefined, provenAt: number, record: FactorRecord): boolean {
  return binding === record.binding && provenAt > (record.endedAt ?? -1)
}

/**
 * Ends the pending sign-ins and the remembered devices of a user.
 * @throws AdapterError if other requests keep changing the factor
 */
export async function renewBinding(userId: string, vault: Vault): Promise<void> {
  const binding = encodeBase64url(vault.platform.randomBytes(16))
  await changeFactor(userId, (record) => ({ ...record, binding }), vault)
}
