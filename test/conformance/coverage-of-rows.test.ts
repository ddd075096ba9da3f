import { expect, test } from 'vitest'
import { properties } from '../../fuzz/properties/index.ts'
import { without } from '../../fuzz/properties/without.ts'
import ours from '../../fuzz/targets/ours.ts'
import { requirements, type Requirement, type RequirementId } from '../../spec/index.ts'

const declared: ReadonlySet<string> = new Set(ours.capabilities)
const proven: ReadonlySet<string> = new Set(properties.flatMap(({ proves }) => proves))
const rows: readonly Requirement[] = requirements

/** Invariants of any library, and those behind a capability that this library declares. */
const due = rows.filter(
  ({ status, capability, within }) =>
    status === 'invariant' && (!capability || within !== undefined || declared.has(capability)),
)

/** Returns the errors in the reasons, given the rows that need a proof and those that have one. */
function findFaults(
  ids: readonly string[],
  isProven: ReadonlySet<string>,
  reasons: Readonly<Record<string, string>>,
): string[] {
  const given = Object.keys(reasons)
  return [
    ...ids
      .filter((id) => !isProven.has(id) && !given.includes(id))
      .map((id) => `${id} has neither a property nor a reason`),
    ...given
      .filter((id) => isProven.has(id))
      .map((id) => `${id} has a property, and also a reason to have none`),
    ...given.filter((id) => !ids.includes(id)).map((id) => `${id} needs no reason`),
    ...(given.length > 15 ? [`there are ${given.length} reasons, the limit is 15`] : []),
  ]
}

test('every invariant has a property, or one of a few documented reasons', () => {
  expect(due.length).toBeGreaterThan(100)
  expect(
    findFaults(
      due.map(({ id }) => id),
      proven,
      without,
    ),
  ).toEqual([])
})

test('finds a row without either, an unneeded reason, and too many reasons', () => {
  const ids: readonly RequirementId[] = ['CB-01', 'CB-02', 'CB-03']
  expect(findFaults(ids, new Set(['CB-01', 'CB-02']), { 'CB-02': 'because', 'CB-09': 'because' })).toEqual([
    'CB-03 has neither a property nor a reason',
    'CB-02 has a property, and also a reason to have none',
    'CB-09 needs no reason',
  ])
  const many = Array.from({ length: 16 }, (_, n) => `XX-${n}`)
  const reasons = Object.fromEntries(many.map((id) => [id, 'because']))
  expect(findFaults(many, new Set(), reasons)).toEqual(['there are 16 reasons, the limit is 15'])
})
