import type { Chart } from '../../machines/states.ts'
import type { Ending } from '../../machines/endings.ts'

/** The start of a flow's run. Contains only names. */
export interface BegunRun {
  readonly flow: string
  /** The chart that runs: with the gates of features, if the site has some. */
  readonly chart: Chart
  readonly method: string
  /** The route: `callback`. */
  readonly action: string
  /** Id of the provider in the path, if there is one. */
  readonly provider?: string | undefined
}

/**
 * The library's cookies of a request or a response, by purpose: `csrfToken`. The values are secrets. A tracer may use
 * them to tell which requests come from one browser, and must not store or send them.
 */
export type TracedCookies = ReadonlyMap<string, string>

/** One step of a run: the state, the event of its step, and the next state. */
export interface TracedHop {
  readonly state: string
  readonly event: string
  readonly next: string
  /** The error, if the event is `fault`. */
  readonly fault?: Error | undefined
}

/** The end of a run. */
export interface TracedEnd {
  /** The kind of the final state, or `fault` if the run or its outcome threw. */
  readonly ending: Ending
  /** The error that is logged or was thrown, if any. */
  readonly error: Error | undefined
  /** Lists the cookies that the response sets. */
  readonly sent: () => TracedCookies
}

/** Receives the events of one run. */
export interface RunTrace {
  /** Identifies the run on the error page. Undefined if no page shows it. */
  readonly id: string | undefined
  /** Runs the flow inside the tracer's context, so that the work of its steps belongs to the run. */
  readonly within?: <Value>(act: () => Value) => Value
  readonly hop: (hop: TracedHop) => void
  /** Called once, at the end of the run. */
  readonly end: (end: TracedEnd) => void
}

/** Receives every run of a handler. Devtools and OpenTelemetry set it under the `tracer` symbol. */
export interface Tracer {
  /** Called at the start of a run. `received` lists the cookies of the request. */
  readonly begin: (run: BegunRun, received: () => TracedCookies) => RunTrace
  /** Called with the configuration fault, for each request that could not run a flow because of it. */
  readonly reject?: (fault: Error) => void
  /** Returns the URL of a run and its states, or undefined if the run is no longer kept. */
  readonly find: (id: string) => ShownTrace | undefined
}

/** The data of a run that the error page shows. */
export interface ShownTrace {
  /** Path of the page that shows the run. */
  readonly url: string
  readonly path: readonly string[]
}
