import type { Frame } from 'authmachine/instrumented'
import type { RequirementId } from 'authmachine/spec'
import type { Meaning } from '../world/breach.ts'

/**
 * The possible results. PASS: held in every case that checked it. WARN: a recommendation failed. SKIP: the target
 * lacks a capability or feature. UNTESTED: no property checks the requirement. INCONCLUSIVE: too few cases reached the
 * situation. XFAIL: failed as the baseline expects. XPASS: passed although the baseline expects a failure. ERROR: an
 * error of the oracle.
 */
export const verdicts = [
  'PASS',
  'WARN',
  'FAIL',
  'SKIP',
  'UNTESTED',
  'XFAIL',
  'XPASS',
  'INCONCLUSIVE',
  'ERROR',
] as const
/** The result of a property: one of the above. */
export type Verdict = (typeof verdicts)[number]

/** How the reason of a failure begins that a library did not show again. Its verdict is INCONCLUSIVE. */
export const unconfirmed = 'a case failed after others, but not on its own'

/** How the reason begins of a property that no honest user could reach. Its verdict is INCONCLUSIVE. */
export const refusesHonest = 'the target refuses an honest sign-in'

/** How a target broke a property, or how the oracle failed. */
export interface Finding {
  readonly says: string
  /** What the case saw, and how the meaning and the fix differ from those of the property. */
  readonly meaning?: Partial<Meaning>
  /** The shortest sequence of steps that leads to it, in words and as requests. */
  readonly trace: readonly string[]
  readonly commands: readonly string[]
  /** The same for the flow explorer, with the transitions of a target that reports them. */
  readonly frames?: readonly Frame[]
  /** The smallest input, as text. */
  readonly input: string
  /** The same for the same fault, usually also with another seed. */
  readonly fingerprint: string
  /** Repeats exactly this case: `--replay <token>`. */
  readonly replay: string
  /** How often it failed again, for a running application, whose state cannot be replayed. */
  readonly again?: { readonly failures: number; readonly tries: number }
}

/** One property on one application of a target. */
export interface Judgement {
  readonly property: string
  readonly setup: string
  readonly proves: readonly RequirementId[]
  /** The seed of the campaign, if it had several. */
  readonly seed?: number
  readonly verdict: Verdict
  /** The broken requirement. */
  readonly broken?: RequirementId
  readonly finding?: Finding
  /** Why it was not tested, or why the result proves nothing. */
  readonly reason?: string
  readonly runs: number
  /** How often each situation was reached. */
  readonly spread: Readonly<Record<string, number>>
  /** How often its cases checked each requirement. */
  readonly checks?: Readonly<Record<string, number>>
  /** The capabilities that these requirements need, wholly or in part, and the target does not declare. */
  readonly unclaimed?: Readonly<Record<string, string>>
  /** The fault points of the application that its cases reached, by name. */
  readonly points?: Readonly<Record<string, number>>
  /** The transitions of the target's machines, as `flow: state -(event)->`, if it reports them. */
  readonly hops?: Readonly<Record<string, number>>
  /** The error types that the target showed or logged. */
  readonly errors?: Readonly<Record<string, number>>
  /** Milliseconds of real time. */
  readonly took: number
}
