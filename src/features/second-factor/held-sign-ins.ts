import { encodeBase64url } from '../../crypto/bytes.ts'
import { AdapterError } from '../../errors/classes.ts'
import type { World } from '../../flows/engine/world.ts'
import { readFactor, writeFactor } from './factor-record.ts'
import type { FactorRecord, StoredFactor } from './types.ts'

/** Maximum number of attempts if other requests change the factor in the meantime. */
const attempts = 5

/**
 * Changes the second factor of a user, if there is one.
 * @throws AdapterError if other requests keep changing it
 */
export async function changeFactor(
  userId: string,
  change: (record: FactorRecord) => FactorRecord,
  world: World,
): Promise<StoredFactor | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const held = await readFactor(userId, world)
    const written = held && (await writeFactor(change(held.record), held, world))
    if (!held || written) return written
  }
  throw new AdapterError('Other requests keep changing the second factor of the user')
}

/** Ends the sign-ins of a user that wait for the second factor now. Remembered devices stay. */
export async function endHeldSignIns(userId: string, world: World): Promise<void> {
  const endedAt = world.platform.now()
  await changeFactor(userId, (record) => ({ ...record, endedAt }), world)
}

/** Returns whether a sign-in, whose first factor was proven at this time, still waits for this second factor. */
export function isAwaited(binding: string | undefined, provenAt: number, record: FactorRecord): boolean {
  return binding === record.binding && provenAt > (record.endedAt ?? -1)
}

/**
 * Ends the pending sign-ins and the remembered devices of a user.
 * @throws AdapterError if other requests keep changing the factor
 */
export async function renewBinding(userId: string, world: World): Promise<void> {
  const binding = encodeBase64url(world.platform.randomBytes(16))
  await changeFactor(userId, (record) => ({ ...record, binding }), world)
}
