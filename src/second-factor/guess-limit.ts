import type { FactorRecord } from './factor-record.ts'

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
