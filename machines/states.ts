import type { RequirementId } from '../spec/index.ts'
import type { Ending } from './endings.ts'

interface Described {
  readonly description: string
  readonly meta: { readonly spec: readonly RequirementId[] }
}

/**
 * Events and their target states. A target is on the same level, or `.child` below the state that handles the event.
 */
export type Edges = { readonly [event: string]: string }

/** Runs one named step. Its event selects the next state. */
export interface WorkingState extends Described {
  readonly invoke: Does<string>
  readonly on: Edges
}

/** Waits for the browser. Only `journey` has such states. */
export interface RestingState extends Described {
  readonly on: Edges
}

/** A nested chart. It handles the events that its states do not. */
export interface CompoundState extends Described {
  readonly initial: string
  /** The events that leave a piece. The enclosing chart handles all of them. */
  readonly exits?: readonly string[]
  readonly on?: Edges
  readonly states: { readonly [name: string]: WorkingState | RestingState | CompoundState }
}

/** A state in which a flow ends. */
export interface FinalState extends Described {
  readonly type: 'final'
  readonly meta: Described['meta'] & { readonly ending: Ending }
}

/**
 * A flow without context, guards, assigns or actions. Each working state invokes one step, the step reports one event,
 * and only the event selects the next state.
 */
export interface Chart extends Described {
  readonly id: string
  readonly meta: Described['meta'] & {
    /** The title that devtools give to requests that begin with this flow. @default that of a sign-in */
    readonly title?: string
    /** Whether a server or the application runs the flow, not a browser. */
    readonly withoutBrowser?: true
    /** The method of the requests that start a sign-in, for devtools. */
    readonly starts?: 'GET' | 'POST'
    /** The purposes of the cookies that bind a request to the start of its sign-in. @default that of the session */
    readonly boundBy?: readonly string[]
    /** Whether a success says nothing about a sign-in, because these requests are frequent. */
    readonly isRoutine?: true
    /** What a browser holds between requests because of the flow, as regions of `journey`. */
    readonly holds?: { readonly [region: string]: CompoundState }
  }
  readonly initial: string
  readonly on?: Edges
  readonly states: { readonly [name: string]: WorkingState | RestingState | CompoundState | FinalState }
}

/** A chart whose regions are all active at once. Only `journey` is such a chart. */
export interface ParallelChart extends Described {
  readonly id: string
  readonly type: 'parallel'
  /** The regions. */
  readonly states: { readonly [region: string]: CompoundState }
}

/** A chart of either kind. */
export type AnyChart = Chart | ParallelChart

/** Names a step. Because the type has a name, the declarations of charts do not repeat its members. */
export interface Does<S extends string> {
  readonly id: S
  readonly src: S
}

/** The event of a step that fails. Any state can handle it. */
export type Fault = 'fault'
