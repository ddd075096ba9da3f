import { requirement, type RequirementId } from 'authmachine/spec'
import { referencesOf } from '../causes.ts'
import { properties } from '../properties/index.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Failure, Problem } from '../run/triage.ts'
import type { Judgement, Verdict } from '../run/verdict.ts'
import type { Meaning } from '../world/breach.ts'

/** The steps of a long story that a report shows: how it begins, and how it ends. */
const shownSteps = { first: 3, last: 12 }

/** A step of a story with its number, or the place of the steps that are left out. */
interface Step {
  readonly step: string
  readonly line: string
}

/** Characters of a step that a report shows. */
const shownLength = 240

/** Numbers the steps of a story, and leaves out the middle of a long one and the end of long lines. */
export function shorten(trace: readonly string[]): Step[] {
  const { first, last } = shownSteps
  const steps = trace.map((line, at) => ({ step: String(at + 1), line: `. ${clip(line)}` }))
  const left = steps.length - first - last
  if (left <= 1) return steps
  const gap = { step: '', line: `… ${left} steps, which the JSON report contains` }
  return [...steps.slice(0, first), gap, ...steps.slice(-last)]
}

function clip(line: string): string {
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line
}

/** Returns what a failure means and the fix to try first: those of the property, unless a monitor that found it knows better. */
export function meaningOf({ property, finding }: Judgement): Partial<Meaning> | undefined {
  const tested = properties.find(({ name }) => name === property)
  return tested || finding?.meaning ? { ...tested, ...finding?.meaning } : undefined
}

/** Names a failure by what happened. The name of its property is what should have happened. */
export function resultOf({ shown, property }: Failure): string {
  return shown.finding?.says ?? property
}

/** Names the source of a requirement, and tells those of this project and of Auth.js from standards. */
export function sourceOf(id: RequirementId): string {
  const { source, status } = requirement(id)
  return `${origins[status]}${source}`
}

const origins = {
  given: 'the interface of Auth.js: ',
  decided: 'a decision of this project: ',
  invariant: '',
} as const

/** What an attacker gains at worst, if a failure that occurred is as severe as that. */
export function riskOf({ cause, broken: [worst] }: Problem): string {
  return worst.severity === cause.severity ? cause.risk : ''
}

/** Lists the clauses of OWASP ASVS and RFC 9700 that a problem violates: at most six. */
export function listReferences(problem: Problem): string[] {
  return [...new Set(problem.broken.flatMap(({ id }) => referencesOf(id)))].slice(0, 6)
}

/** Names the applications of a failure, in brackets. A running application has no others. */
export function showSetups(target: string, setups: readonly string[]): string {
  return /^https?:/.test(target) ? '' : ` [${setups.join('; ')}]`
}

export function nameSeeds({ seed, seeds }: ConformanceReport): string {
  return seeds ? `seeds ${seeds.join(', ')}` : `seed ${seed}`
}

/** Describes the verdicts of several seeds: `FAIL with 2, PASS with 1`. */
export function describeSeeds(counts: Partial<Record<Verdict, number>>): string {
  return Object.entries(counts)
    .map(([verdict, times]) => `${verdict} with ${times}`)
    .join(', ')
}
