/** One hop of a recorded run. */
export interface RecordedHop {
  /** The state it leaves, with those around it: `admitting.issuingSession`. */
  readonly state: string
  /** What its step reported. */
  readonly event: string
  /** The state that this led to. */
  readonly next: string
  /** How long the step took. */
  readonly milliseconds: number
}

/**
 * One run of a flow. It consists of names that the library and your configuration give (flows, states, events, ids of
 * providers, types of errors) and of times: whatever a request, a provider or a store brought is not in it.
 */
export interface RecordedRun {
  /** A number that counts up, and after it what nobody can guess. */
  readonly id: string
  /** Name of its chart: `callback`. */
  readonly flow: string
  /** Method, route and provider: `GET callback/github`. */
  readonly request: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** In the order in which they were made. */
  readonly hops: readonly RecordedHop[]
  /** The state it is in, or ended in. */
  readonly state: string
  /** How that counts; absent while it is under way. */
  readonly ending?: 'success' | 'refusal' | 'fault'
  /** Type of the error that was logged, and of what caused it. */
  readonly errors: readonly string[]
}
