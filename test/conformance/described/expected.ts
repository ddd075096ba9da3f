import { readFileSync } from 'node:fs'
import type { Severity } from '../../../fuzz/causes.ts'
import { findRequirement } from '../../../spec/index.ts'
import type { SeededFault } from './faults.ts'

/** A requirement that an application does not meet, and why that is true. */
export interface ExpectedResult {
  readonly verdict: 'FAIL' | 'WARN'
  readonly severity: Severity
  readonly why: string
  /** Whether only some seeds show it, because chance or a race draws its cases. @default false */
  readonly sometimes?: boolean
}

/** What the oracle must find in an application of others: without a fault, and with each of its seeded faults. */
export interface Expected {
  /** By requirement. It meets all others that the oracle can test on it. */
  readonly results: Readonly<Record<string, ExpectedResult>>
  readonly faults: Readonly<Record<string, SeededFault>>
}

/** Reads the expected result of an application. @throws {Error} if it names a requirement that does not exist */
export function readExpected(file: string): Expected {
  const expected = JSON.parse(readFileSync(file, 'utf8')) as Expected
  const named = [
    ...Object.keys(expected.results),
    ...Object.values(expected.faults).map(({ breaks }) => breaks),
  ]
  const unknown = named.find((id) => !findRequirement(id))
  if (unknown !== undefined) throw new Error(`${file}: no requirement has the id ${unknown}`)
  return expected
}
