/** A run of a flow as it begins: nothing but names. */
export interface BegunRun {
  readonly flow: string
  readonly method: string
  /** The route: `callback`. */
  readonly action: string
  /** Id of the provider in the path, when there is one. */
  readonly provider?: string | undefined
}

/** A hop of a run: the state, what its step reported, and where that led. */
export interface TracedHop {
  readonly state: string
  readonly event: string
  readonly next: string
  /** What was thrown, when the event is `fault`. */
  readonly fault?: Error | undefined
}

/** Is told of one run. */
export interface RunTrace {
  /** Names the run to the error page. */
  readonly id: string
  readonly hop: (hop: TracedHop) => void
  /** The run has ended, with the error that is logged, if any. */
  readonly end: (error: Error | undefined) => void
}

/** Is told of every run of a handler; a configuration has one under the `tracer` symbol when devtools watch it. */
export interface Tracer {
  readonly begin: (run: BegunRun) => RunTrace
  /** Where a run is shown, and the states that it went through; undefined when it is not kept. */
  readonly find: (id: string) => ShownTrace | undefined
}

/** What the error page shows of a run. */
export interface ShownTrace {
  /** Path of the page that shows it. */
  readonly url: string
  readonly path: readonly string[]
}
