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

/** The beginning of the reason of a failure that did not occur again in a library. Its verdict is INCONCLUSIVE. */
export const unconfirmed = 'a case failed after others, but not on its own'

/** The beginning of the reason of a property for which no honest user could sign in. Its verdict is INCONCLUSIVE. */
export const refusesHonest = 'the target refuses an honest sign-in'

/** The reason of a property that did not start in time. Its verdict is INCONCLUSIVE. */
export const outOfTime = 'the campaign’s time limit was reached'

/** The reason of a property that could not start, because the running application had ended. It is INCONCLUSIVE. */
export const afterItsEnd = 'the application had ended'

/** How a target broke a property, or why the oracle failed. */
export interface Finding {
  readonly says: string
  /** What the case saw, and how the meaning and the fix differ from those of the property. */
  readonly meaning?: Partial<Meaning>
  /** The shortest sequence of steps that leads to it, in words and as requests. */
  readonly trace: readonly string[]
  readonly commands: readonly string[]
  /** The same sequence for the flow explorer, with the transitions if the target reports them. */
  readonly frames?: readonly Frame[]
  /** The smallest input, as text. */
  readonly input: string
  /** Identifies the fault. The same fault usually has the same value even with another seed. */
  readonly fingerprint: string
  /** Repeats exactly this case: `--replay <token>`. */
  readonly replay: string
  /** For a running application, whose state cannot be replayed: how often the case failed again. */
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
  /** Why the property was not tested, or why the result proves nothing. */
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
