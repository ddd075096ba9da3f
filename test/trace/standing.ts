import { findRequirement, requirements, type Requirement, type RequirementId } from '../../spec/index.ts'
import type { Mutant } from '../mutants/mutant.ts'
import type { Trace } from './collect.ts'

/** Reasons for missing tests, by requirement. */
export type Owed = { readonly [Id in RequirementId]?: string }

/** The tests, states and mutants of one requirement. */
export interface Standing {
  readonly requirement: Requirement & { readonly id: RequirementId }
  /** `machine.state` of each state that names it. */
  readonly chartStates: readonly string[]
  /** `file: name` of each test and property that names it. */
  readonly tested: readonly string[]
  /** The written mutants that break it. */
  readonly mutants: readonly string[]
  /**
   * `proven` if a test names it and a mutant fails that test: a written mutant that breaks it, or, for scenarios, a
   * chart mutant. `witnessed` if only a test names it, `owed` if it is a must that no test names, `open` if no test
   * names it and none has to.
   */
  readonly state: 'proven' | 'witnessed' | 'owed' | 'open'
}

/** `test/flows/scenarios.test.ts` and `scenarios.record.ts` run the scenarios on the mutants of the charts. */
const scenarios = 'test/flows/scenarios/'

/** Joins each requirement with the states, tests and mutants that name it or one of its aliases. */
export function standings(trace: Trace, mutants: readonly Mutant[]): readonly Standing[] {
  const chartStates = group(
    trace.chartStates.flatMap(({ ids, state }) => ids.map((id) => [id, state] as const)),
  )
  const tested = group(
    trace.witnesses.flatMap(({ ids, file, name }) => ids.map((id) => [id, `${file}: ${name}`] as const)),
  )
  const broken = group(mutants.flatMap(({ id, breaks }) => breaks.map((each) => [each, id] as const)))
  return requirements.map((requirement) => {
    const names = tested.get(requirement.id) ?? []
    const breaking = broken.get(requirement.id) ?? []
    const isProven = breaking.length > 0 || names.some((name) => name.startsWith(scenarios))
    const unwitnessed = requirement.level === 'must' ? 'owed' : 'open'
    return {
      requirement,
      chartStates: chartStates.get(requirement.id) ?? [],
      tested: names,
      mutants: breaking,
      state: names.length === 0 ? unwitnessed : isProven ? 'proven' : 'witnessed',
    }
  })
}

function group(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, string[]>()
  for (const [named, value] of pairs) {
    const id = findRequirement(named)?.id ?? named
    const list = lists.get(id) ?? []
    if (!list.includes(value)) list.push(value)
    lists.set(id, list)
  }
  return lists
}
