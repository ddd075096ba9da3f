import type { Frame, Participant, Recording } from './data.ts'

/** A run of a flow, as devtools record it. */
export interface PlayableRun {
  readonly id: string
  readonly flow: string
  /** Method, route and provider: `GET callback/github`. */
  readonly request: string
  readonly hops: readonly {
    readonly state: string
    readonly event: string
    readonly next: string
    readonly milliseconds?: number
    /** The calls of the step, in order. */
    readonly calls?: readonly { readonly to: string; readonly name: string }[]
  }[]
  /** The current or final state. */
  readonly state: string
}

/** Returns a recording of runs, the oldest first. */
export function recordRuns(id: string, title: string, runs: readonly PlayableRun[]): Recording {
  return { id, title, group: 'Recorded runs', frames: runs.flatMap(toFrames) }
}

function toFrames({ flow, request, hops, state }: PlayableRun): Frame[] {
  return [
    { kind: 'request', text: request },
    ...hops.flatMap(({ calls = [], state: from, event, next, milliseconds }): Frame[] => [
      ...calls.map(({ to, name }) => ({ kind: 'call' as const, to: to as Participant, text: name })),
      {
        kind: 'hop',
        flow,
        state: from,
        event,
        next,
        ...(milliseconds !== undefined && { milliseconds }),
      },
    ]),
    { kind: 'reply', text: state },
  ]
}
