import { expect, test } from 'vitest'
import { properties } from '../../fuzz/properties/index.ts'
import { without } from '../../fuzz/properties/without.ts'
import ours from '../../fuzz/targets/ours.ts'
import { requirements, type Requirement, type RequirementId } from '../../spec/index.ts'

const declared: ReadonlySet<string> = new Set(ours.capabilities)
const proven: ReadonlySet<string> = new Set(properties.flatMap(({ proves }) => proves))
const rows: readonly Requirement[] = requirements

/** Invariants of any library, and of those behind a capability the ones that this library declares. */
const due = rows.filter(
  ({ status, capability, within }) =>
    status === 'invariant' && (!capability || within !== undefined || declared.has(capability)),
)

/** What is wrong with the reasons, for rows that have to be proven and those that are. */
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
    ...given.filter((id) => isProven.has(id)).map((id) => `${id} has a property, and a reason to have none`),
    ...given.filter((id) => !ids.includes(id)).map((id) => `${id} needs no reason`),
    ...(given.length > 15 ? [`there are ${given.length} reasons, and may be 15`] : []),
  ]
}

test('every invariant has a property, or one of a few reasons to have none', () => {
  expect(due.length).toBeGreaterThan(100)
  expect(
    findFaults(
      due.map(({ id }) => id),
      proven,
      without,
    ),
  ).toEqual([])
})

test('a row without either, a needless reason and too many of them are found', () => {
  const ids: readonly RequirementId[] = ['CB-01', 'CB-02', 'CB-03']
  expect(findFaults(ids, new Set(['CB-01', 'CB-02']), { 'CB-02': 'because', 'CB-09': 'because' })).toEqual([
    'CB-03 has neither a property nor a reason',
    'CB-02 has a property, and a reason to have none',
    'CB-09 needs no reason',
  ])
  const many = Array.from({ length: 16 }, (_, n) => `XX-${n}`)
  const reasons = Object.fromEntries(many.map((id) => [id, 'because']))
  expect(findFaults(many, new Set(), reasons)).toEqual(['there are 16 reasons, and may be 15'])
})
