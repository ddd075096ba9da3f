import { requirement, requirements, type RequirementId } from 'authmachine/spec'
import { causeOf, severities, type Severity } from '../causes.ts'
import { properties } from '../properties/index.ts'
import { weighObservation } from '../observations.ts'
import { severityOf } from '../severities.ts'
import { describeUnclaimed, needsWire } from './why-not.ts'
import type { Judgement, Verdict } from './verdict.ts'

/** The result of a campaign for one requirement. */
export interface Assessment {
  readonly id: RequirementId
  /** The part of the requirement that this is about, if the target lacks the capability that the part needs. */
  readonly part?: string
  readonly level: 'must' | 'should' | 'may'
  readonly says: string
  readonly verdict: Verdict
  readonly reason?: string
  /** The most severe verdict among its properties. */
  readonly property?: string
  readonly setup?: string
  readonly runs: number
  /**
   * The meaning of a failure: its cause in `causes`, and how much an attacker gains, at worst and by the failures that
   * occurred.
   */
  readonly cause: string
  readonly severity: Severity
  /** How many seeds gave each verdict, if a campaign had several seeds and they disagree. */
  readonly seeds?: Partial<Record<Verdict, number>>
}

/** Verdicts by severity: if a requirement has several properties, the first of these counts. */
const loudness: readonly Verdict[] = [
  'FAIL',
  'XPASS',
  'ERROR',
  'XFAIL',
  'INCONCLUSIVE',
  'PASS',
  'WARN',
  'UNTESTED',
  'SKIP',
]

/** Turns the failure of a recommendation into a warning. */
function weigh(verdict: Verdict, id: RequirementId): Verdict {
  return verdict === 'FAIL' && requirement(id).level !== 'must' ? 'WARN' : verdict
}

/** The verdict of a judgement in reports, by the level of the broken requirement. */
export function verdictOf({ verdict, broken, proves: [first] }: Judgement): Verdict {
  const id = broken ?? first
  return id ? weigh(verdict, id) : verdict
}

/** Returns what an attacker gains by a failure: what its case saw, within the worst case of its property or requirement. */
export function severityOfFailure({ broken, property, finding }: Judgement): Severity | undefined {
  const worst = worstOf({ broken, property })
  return worst && weighObservation(worst, finding?.meaning?.observed)
}

/** Returns what an attacker gains by a failure of this property at worst. */
export function worstOf({ broken, property }: Pick<Judgement, 'broken' | 'property'>): Severity | undefined {
  if (broken === undefined) return undefined
  const { id } = requirement(broken)
  const tested = properties.find(({ name, proves }) => name === property && proves.includes(id))
  return tested?.severity ?? severityOf(id)
}

/** One judgement of a requirement, or of a part of it. */
interface Opinion {
  readonly verdict: Verdict
  readonly judgement: Judgement
  readonly reason?: string | undefined
}

/**
 * Summarises the judgements by requirement, in the order of the specification. Each requirement that requests can check
 * is listed, judged or not.
 *
 * @param only ids or families; @default all
 */
export function assess(judgements: readonly Judgement[], only: readonly string[] = []): Assessment[] {
  const opinions = new Map<RequirementId, Opinion[]>()
  for (const judgement of judgements)
    for (const [id, opinion] of readOpinions(judgement))
      opinions.set(id, [...(opinions.get(id) ?? []), { ...opinion, judgement }])
  return requirements.flatMap((row) => {
    const all = opinions.get(row.id)
    if (all) return [sumUp(row, all), ...splitPart(row, all)]
    return row.mode !== undefined && isChosen(row.id, only) ? [describeUntested(row)] : []
  })
}

/**
 * Returns whether a list of ids (`SE-04`) and families (`TX`) names a requirement, even by an alias. An empty list
 * names all requirements.
 */
export function isChosen(id: RequirementId, only: readonly string[]): boolean {
  const names = [id, ...(requirement(id).aliases ?? [])]
  return (
    only.length === 0 ||
    names.some((name) => only.some((word) => name === word || name.startsWith(`${word}-`)))
  )
}

type Row = (typeof requirements)[number]

/** Returns the verdict of a judgement about each of its requirements. */
function readOpinions(judgement: Judgement): (readonly [RequirementId, Omit<Opinion, 'judgement'>])[] {
  const { verdict, broken, proves, reason, finding, checks, unclaimed } = judgement
  const rows = [...new Set(proves.map((id) => requirement(id).id))]
  const brokenRow = broken && requirement(broken).id
  const others = rows.filter((id) => id !== brokenRow)
  const readOther = (id: RequirementId): Omit<Opinion, 'judgement'> => {
    const capability = unclaimed?.[id]
    const isSkipped = capability !== undefined && requirement(id).within === undefined
    if (isSkipped) return { verdict: 'SKIP', reason: describeUnclaimed(capability) }
    if (brokenRow !== undefined)
      return { verdict: 'INCONCLUSIVE', reason: `its property stopped at ${brokenRow}` }
    if (verdict !== 'PASS' || !checks || checks[id]) return { verdict, reason }
    return capability === undefined
      ? { verdict: 'UNTESTED', reason: 'no case checked it' }
      : { verdict: 'SKIP', reason: describeUnclaimed(capability) }
  }
  const opinions = others.map((id) => [id, readOther(id)] as const)
  return brokenRow === undefined ? opinions : [[brokenRow, { verdict, reason: finding?.says }], ...opinions]
}

function sumUp({ id, level, says }: Row, opinions: readonly Opinion[]): Assessment {
  // If there are several reasons, the one about the description comes first, then the reason of a property about this
  // row, then one that its cases found. Of several failures, the most severe one comes first.
  const rank = ({ verdict, reason, judgement }: Opinion) => {
    const isAside = verdict === 'SKIP' && judgement.proves[0] !== id
    const isUntried = verdict === 'SKIP' && judgement.runs === 0
    const severity = judgement.broken === id ? severityOfFailure(judgement) : undefined
    return (
      loudness.indexOf(verdict) +
      (reason === needsWire ? 0.5 : 0) +
      (isAside ? 0.25 : 0) +
      (isUntried ? 0.1 : 0) +
      (severity ? severities.indexOf(severity) / 100 : 0)
    )
  }
  const [loudest] = opinions.toSorted((a, b) => rank(a) - rank(b))
  const runs = opinions.reduce((sum, { judgement }) => sum + judgement.runs, 0)
  const row = { id, level, says, ...kindOf(id) }
  if (!loudest) return { ...row, verdict: 'UNTESTED', runs }
  const { verdict, reason, judgement } = loudest
  const { property, setup } = judgement
  const occurred = opinions.flatMap((each) =>
    each.verdict === verdict && each.judgement.broken === id ? (severityOfFailure(each.judgement) ?? []) : [],
  )
  const severity = severities.find((each) => occurred.includes(each)) ?? row.severity
  return { ...row, severity, verdict: weigh(verdict, id), ...(reason && { reason }), property, setup, runs }
}

/** Returns a separate line for the part of a requirement that needs a capability, if the target does not declare it. */
function splitPart({ id, level, says, within }: Row, opinions: readonly Opinion[]): Assessment[] {
  const capability = opinions.map(({ judgement }) => judgement.unclaimed?.[id]).find(Boolean)
  if (capability === undefined || within === undefined) return []
  const reason = describeUnclaimed(capability)
  return [{ id, part: within, level, says, ...kindOf(id), verdict: 'SKIP', reason, runs: 0 }]
}

function describeUntested({ id, level, says, capability, mode }: Row): Assessment {
  const reason =
    mode === 'S' ? 'requests cannot check it' : `no property checks it${capability ? ` (${capability})` : ''}`
  return { id, level, says, ...kindOf(id), verdict: 'UNTESTED', reason, runs: 0 }
}

function kindOf(id: RequirementId): Pick<Assessment, 'cause' | 'severity'> {
  return { cause: causeOf(id).id, severity: severityOf(id) }
}

/** Adds to each requirement how many seeds gave which verdict, where they disagree. */
export function compareSeeds(
  all: readonly Assessment[],
  perSeed: readonly (readonly Assessment[])[],
): Assessment[] {
  return all.map((assessment) => {
    const seeds: Partial<Record<Verdict, number>> = {}
    for (const rows of perSeed) {
      const same = rows.find(({ id, part }) => id === assessment.id && part === assessment.part)
      if (same) seeds[same.verdict] = (seeds[same.verdict] ?? 0) + 1
    }
    return Object.keys(seeds).length > 1 ? { ...assessment, seeds } : assessment
  })
}
