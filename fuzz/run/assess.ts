import type { RequirementId } from 'authmachine/spec'
import { rowOf } from './why-not.ts'
import type { Judgement, Verdict } from './verdict.ts'

/** What a campaign says of one invariant. */
export interface Assessment {
  readonly id: RequirementId
  readonly level: 'must' | 'should' | 'may'
  readonly says: string
  readonly verdict: Verdict
  readonly reason?: string
  /** Of the properties that are about it, the one that speaks loudest. */
  readonly property?: string
  readonly setup?: string
  readonly runs: number
}

/** The loudest first: where several properties are about one invariant, the first of these counts. */
const loudness: readonly Verdict[] = [
  'FAIL',
  'XPASS',
  'ERROR',
  'XFAIL',
  'INCONCLUSIVE',
  'PASS',
  'WARN',
  'SKIP',
]

/** A should that does not hold is worth a warning, and no more. */
function weigh(verdict: Verdict, id: RequirementId): Verdict {
  return verdict === 'FAIL' && rowOf(id).level !== 'must' ? 'WARN' : verdict
}

/** The verdict of a judgement as a report shows it, by the level of what was broken. */
export function verdictOf({ verdict, broken, proves: [first] }: Judgement): Verdict {
  const id = broken ?? first
  return id ? weigh(verdict, id) : verdict
}

/** Sums up the judgements by invariant, in the order of the specification. */
export function assess(judgements: readonly Judgement[], known: readonly RequirementId[]): Assessment[] {
  const about = new Map<RequirementId, (readonly [Judgement, Verdict, string | undefined])[]>()
  const note = (id: RequirementId, judgement: Judgement, verdict: Verdict, reason?: string) =>
    about.set(id, [...(about.get(id) ?? []), [judgement, verdict, reason]])
  for (const judgement of judgements) {
    const { verdict, broken, proves, reason, finding } = judgement
    if (broken === undefined) {
      for (const id of proves) note(id, judgement, verdict, reason)
      continue
    }
    note(broken, judgement, verdict, finding?.says)
    for (const id of proves)
      if (id !== broken) note(id, judgement, 'INCONCLUSIVE', `its property stopped at ${broken}`)
  }
  const order = new Map(known.map((id, at) => [id, at]))
  return [...about]
    .toSorted(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    .map(([id, list]) => {
      const [loudest] = list.toSorted((a, b) => loudness.indexOf(a[1]) - loudness.indexOf(b[1]))
      const { level, says } = rowOf(id)
      const runs = list.reduce((sum, [judgement]) => sum + judgement.runs, 0)
      if (!loudest) return { id, level, says, verdict: 'SKIP', runs }
      const [{ property, setup }, verdict, reason] = loudest
      return {
        id,
        level,
        says,
        verdict: weigh(verdict, id),
        ...(reason && { reason }),
        property,
        setup,
        runs,
      }
    })
}
