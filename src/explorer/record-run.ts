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
    /** What the step called, in order. */
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

/** Returns the recordings in a file: a run, or a list of runs, of devtools. Returns undefined if it contains none. */
export function readRecordings(text: string): readonly Recording[] | undefined {
  const parsed = parse(text)
  const runs = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRun)
  if (runs.length === 0) return undefined
  return runs.map((run) => recordRuns(run.id, `${run.flow}: ${run.state}`, [run]))
}

function isRun(value: unknown): value is PlayableRun {
  return (
    typeof member(value, 'id') === 'string' &&
    typeof member(value, 'flow') === 'string' &&
    typeof member(value, 'state') === 'string' &&
    Array.isArray(member(value, 'hops'))
  )
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
