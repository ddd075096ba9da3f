import { AdapterError } from '../../errors/classes.ts'
import { requireStore, type World } from '../../flows/engine/world.ts'
import { sealedText } from '../../token/sealed.ts'
import type { FactorRecord, StoredFactor } from './types.ts'

/** The stored text. */
export const factorText = sealedText<FactorRecord, 'userId'>({
  purpose: 'authmachine.second-factor',
  // A century: a record does not expire.
  maxAge: 36_500 * 86_400,
  boundTo: ['userId'],
  toClaims: (factor) => ({ factor }),
  read: ({ factor }) => factor as FactorRecord | undefined,
})

/**
 * Reads the second factor of a user.
 * @throws AdapterError if it cannot be opened: a user whose secret was lost must not sign in without it
 */
export async function readFactor(userId: string, world: World): Promise<StoredFactor | undefined> {
  const sealed = await requireStore(world).getFactor(userId)
  if (sealed === null || sealed === undefined) return undefined
  const { content: record } = await factorText.open(String(sealed), { userId }, world)
  if (record) return { record, sealed }
  throw new AdapterError(
    'The second factor of a user cannot be opened. Add the secret that sealed it to `secret`, or delete it with `deleteFactor`. Seal imported secrets with `sealTotpSecret`',
  )
}

/**
 * Seals and stores a record, only in place of the given one.
 * @returns the stored record, or undefined if another request has replaced the given one
 */
export async function writeFactor(
  record: FactorRecord,
  held: Pick<StoredFactor, 'sealed'> | undefined,
  world: World,
): Promise<StoredFactor | undefined> {
  const sealed = await factorText.seal(record, world)
  const stored = await requireStore(world).setFactor(record.userId, sealed, held && { factor: held.sealed })
  return requireBoolean(stored, 'setFactor') ? { record, sealed } : undefined
}

/**
 * Removes a record.
 * @returns whether it was removed: false if another request has replaced it
 */
export async function deleteFactor({ record, sealed }: StoredFactor, world: World): Promise<boolean> {
  const removed = await requireStore(world).deleteFactor(record.userId, { factor: sealed })
  return requireBoolean(removed, 'deleteFactor')
}

function requireBoolean(answer: unknown, operation: string): boolean {
  if (typeof answer === 'boolean') return answer
  throw new AdapterError(`The adapter's ${operation} must return true or false`)
}

/** The number of wrong codes in a row without a pause (ASVS 6.6.3). */
const free = 5
/** After this many wrong codes in a row, only a recovery code is accepted (NIST SP 800-63B-4 3.2.2). */
const most = 100
/** Milliseconds. */
const [first, longest] = [30_000, 3_600_000]

/**
 * Counts a wrong code. From the fifth in a row on, each wrong code doubles the pause before the next one, up to an
 * hour.
 */
export function countFailure(record: FactorRecord, now: number): FactorRecord {
  const failures = record.failures + 1
  if (failures < free) return { ...record, failures }
  const pause = failures < most ? Math.min(first * 2 ** (failures - free), longest) : Number.MAX_SAFE_INTEGER
  return { ...record, failures, blockedUntil: Math.min(now + pause, Number.MAX_SAFE_INTEGER) }
}

/** Resets the count. */
export function clearFailures(record: FactorRecord): FactorRecord {
  return { ...record, failures: 0, blockedUntil: 0 }
}
