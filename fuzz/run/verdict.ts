import type { RequirementId } from 'authmachine/spec'

/**
 * What became of a property on a target. WARN and SKIP: a capability or feature that the target does not have (a must,
 * or less). INCONCLUSIVE: too few cases came to what it speaks of. XFAIL: failed as the baseline expects, XPASS: did not.
 * ERROR: a fault of the oracle's own.
 */
export const verdicts = ['PASS', 'WARN', 'FAIL', 'SKIP', 'XFAIL', 'XPASS', 'INCONCLUSIVE', 'ERROR'] as const
/** What became of a property: one of the above. */
export type Verdict = (typeof verdicts)[number]

/** How a target broke a statement, or how the oracle failed. */
export interface Finding {
  readonly says: string
  /** The shortest story that leads to it, in words, and as requests. */
  readonly trace: readonly string[]
  readonly commands: readonly string[]
  /** The smallest input, as text. */
  readonly input: string
  /** Brings exactly this case back: `--replay <token>`. */
  readonly replay: string
  /** In how many tries it came again, where a case can't be brought back whole: with a running application. */
  readonly again?: { readonly came: number; readonly tries: number }
}

/** One property on one application of a target. */
export interface Judgement {
  readonly property: string
  readonly setup: string
  readonly proves: readonly RequirementId[]
  readonly verdict: Verdict
  /** The invariant that was broken. */
  readonly broken?: RequirementId
  readonly finding?: Finding
  /** Why it was not judged, or why that proves nothing. */
  readonly reason?: string
  readonly runs: number
  /** How often each situation was reached. */
  readonly spread: Readonly<Record<string, number>>
  /** The fault points of the application that its cases came by, by name. */
  readonly points?: Readonly<Record<string, number>>
  /** The hops through the machines of the target, as `flow: state -(event)->`, when it tells them. */
  readonly hops?: Readonly<Record<string, number>>
  /** The errors that the target told its users and its developer, by type. */
  readonly errors?: Readonly<Record<string, number>>
  /** Milliseconds of real time. */
  readonly took: number
}
