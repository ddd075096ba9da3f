import { requirements, type Requirement, type RequirementId } from '../../spec/index.ts'
import type { Mutant } from '../mutants/mutant.ts'
import type { Trace } from './collect.ts'

/** Why something is still owed, by requirement. */
export type Owed = { readonly [Id in RequirementId]?: string }

/** Where one requirement stands. */
export interface Standing {
  readonly requirement: Requirement & { readonly id: RequirementId }
  /** `machine.state` of each state that draws it. */
  readonly drawn: readonly string[]
  /** `file: name` of each test and property that names it. */
  readonly tested: readonly string[]
  /** The written mutants that break it. */
  readonly mutants: readonly string[]
  /**
   * `proven` when a test names it and a mutant is known to fail that test: a written mutant that breaks it, or one of a
   * chart, of which every story has its own. `witnessed` when a test alone names it, `owed` when it is a must that none
   * names, `open` when none does and none has to.
   */
  readonly state: 'proven' | 'witnessed' | 'owed' | 'open'
}

/** Stories are run on the mutants of the charts by `test/flows/edges.test.ts` and `stories.record.ts`. */
const stories = 'test/flows/scenarios/'

/** Joins each requirement with what names it: states, tests and mutants. */
export function standings(trace: Trace, mutants: readonly Mutant[]): readonly Standing[] {
  const drawn = group(trace.drawings.flatMap(({ ids, state }) => ids.map((id) => [id, state] as const)))
  const tested = group(
    trace.witnesses.flatMap(({ ids, file, name }) => ids.map((id) => [id, `${file}: ${name}`] as const)),
  )
  const broken = group(mutants.flatMap(({ id, breaks }) => breaks.map((each) => [each, id] as const)))
  return requirements.map((requirement) => {
    const names = tested.get(requirement.id) ?? []
    const breaking = broken.get(requirement.id) ?? []
    const isProven = breaking.length > 0 || names.some((name) => name.startsWith(stories))
    const unwitnessed = requirement.level === 'must' ? 'owed' : 'open'
    return {
      requirement,
      drawn: drawn.get(requirement.id) ?? [],
      tested: names,
      mutants: breaking,
      state: names.length === 0 ? unwitnessed : isProven ? 'proven' : 'witnessed',
    }
  })
}

function group(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, string[]>()
  for (const [id, value] of pairs) {
    const list = lists.get(id) ?? []
    if (!list.includes(value)) list.push(value)
    lists.set(id, list)
  }
  return lists
}
