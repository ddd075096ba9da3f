import type { Ending } from '../../../machines/endings.ts'

/** One hop of a recorded run. */
export interface RecordedHop {
  /** The state that it leaves, with its parent states: `admitting.issuingSession`. */
  readonly state: string
  /** The event that its step reported. */
  readonly event: string
  /** The next state. */
  readonly next: string
  /** The duration of the step. */
  readonly milliseconds: number
}

/**
 * One run of a flow. It contains only names from the library and your configuration (flows, states, events, provider
 * ids, error types) and times, and no data from requests, providers or stores.
 */
export interface RecordedRun {
  /** A counter, followed by random characters. */
  readonly id: string
  /**
   * The id of the first run of its group, which contains the requests of one sign-in and of the session that follows,
   * until the sign-out.
   */
  readonly group: string
  /** Name of its chart: `callback`. */
  readonly flow: string
  /** Method, route and provider: `GET callback/github`. */
  readonly request: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** In the order in which they happened. */
  readonly hops: readonly RecordedHop[]
  /** The current or final state. */
  readonly state: string
  /** The kind of the final state, or `fault` if the library itself failed. Absent while the flow runs. */
  readonly ending?: Ending
  /** The type of the logged error, and the types of its causes. */
  readonly errors: readonly string[]
}
