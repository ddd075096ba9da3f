import { referencesOf } from '../causes.ts'
import { properties } from '../properties/index.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Problem } from '../run/triage.ts'
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

/** Returns what a failure means and the fix to try first: those of the monitor that found it, or of the property. */
export function meaningOf({ property, finding }: Judgement): Meaning | undefined {
  return finding?.meaning ?? properties.find(({ name }) => name === property)
}

export function adviceFor(judgement: Judgement | undefined): string {
  return (judgement && meaningOf(judgement)?.advice) ?? ''
}

/** Lists the broken requirements of a problem, each once. */
export function listRows({ failures }: Problem): Problem['failures'][number]['id'][] {
  return [...new Set(failures.map(({ id }) => id))]
}

/** Lists the clauses of OWASP ASVS and RFC 9700 that a problem violates: at most six. */
export function listReferences(problem: Problem): string[] {
  return [...new Set(listRows(problem).flatMap(referencesOf))].slice(0, 6)
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
