import { requirements, type Requirement, type RequirementId } from '../../spec/index.ts'
import type { Trace } from './collect.ts'

/** Why something is still owed, by requirement. */
export type Owed = { readonly [Id in RequirementId]?: string }

/** The mutants that the witnesses of a requirement were seen to kill, as the mutation runner wrote them down. */
export type Kills = Readonly<Record<string, readonly string[]>>

/** Where one requirement stands. */
export interface Standing {
  readonly requirement: Requirement & { readonly id: RequirementId }
  /** `machine.state` of each state that draws it. */
  readonly drawn: readonly string[]
  /** `file: name` of each test and property that names it. */
  readonly tested: readonly string[]
  readonly killed: readonly string[]
  /**
   * `proven` when a witness was seen to kill a mutant, `witnessed` when one names it, `owed` when none does though it
   * is a must, `open` when none does and none has to.
   */
  readonly state: 'proven' | 'witnessed' | 'owed' | 'open'
}

/** Puts together what is required, what names it and what was seen to fail without it. */
export function standings(trace: Trace, kills: Kills): readonly Standing[] {
  const drawn = group(trace.drawings.flatMap(({ ids, state }) => ids.map((id) => [id, state] as const)))
  const tested = group(
    trace.witnesses.flatMap(({ ids, file, name }) => ids.map((id) => [id, `${file}: ${name}`] as const)),
  )
  return requirements.map((requirement) => {
    const names = tested.get(requirement.id) ?? []
    const killed = kills[requirement.id] ?? []
    const unwitnessed = requirement.level === 'must' ? 'owed' : 'open'
    return {
      requirement,
      drawn: drawn.get(requirement.id) ?? [],
      tested: names,
      killed,
      state: names.length === 0 ? unwitnessed : killed.length === 0 ? 'witnessed' : 'proven',
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
