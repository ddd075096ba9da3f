import { charts } from '../../machines/charts.ts'
import { graphOf, type FlowGraph } from '../../machines/graph.ts'
import { encodeHex } from '../crypto/hex.ts'
import type { BegunRun, RunTrace, TracedHop } from '../types/trace.ts'
import { nameErrors } from './name-error.ts'
import type { RecordedHop, RecordedRun } from './recorded-run.ts'

/** The graph of each flow that a handler runs. */
export const graphs: ReadonlyMap<string, FlowGraph> = new Map(
  Object.values(charts).map((chart) => [chart.id, graphOf(chart)]),
)

/** How many runs of each flow are kept: reading sessions does not push sign-ins out. */
export const kept = 30

/** Where time and randomness come from. */
export interface RecorderOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds from any point on, with fractions. */
  readonly ticks: () => number
  readonly randomBytes: (length: number) => Uint8Array
}

/** Told of a run whenever something happens in it. */
export type Listener = (run: RecordedRun) => void

/** Keeps the last runs of each flow, and tells of them as they happen. */
export interface Recorder {
  readonly begin: (run: BegunRun) => RunTrace
  readonly find: (id: string) => RecordedRun | undefined
  /** The newest first. */
  readonly list: () => readonly RecordedRun[]
  /** @returns ends the telling */
  readonly listen: (listener: Listener) => () => void
}

export function createRecorder({ now, ticks, randomBytes }: RecorderOptions): Recorder {
  const rings = new Map<string, Map<string, RecordedRun>>()
  const listeners = new Set<Listener>()
  let count = 0

  function keep(run: RecordedRun): void {
    const ring = rings.get(run.flow) ?? new Map<string, RecordedRun>()
    rings.set(run.flow, ring)
    const isNew = !ring.has(run.id)
    ring.set(run.id, run)
    const [oldest] = ring.keys()
    if (isNew && ring.size > kept && oldest !== undefined) ring.delete(oldest)
    for (const listener of listeners) listener(run)
  }

  function begin(begun: BegunRun): RunTrace {
    count += 1
    // The error page shows the run that its address names to whoever asks.
    let run = start(`${count}-${encodeHex(randomBytes(16))}`, begun, now())
    let since = ticks()
    keep(run)
    const update = (change: Partial<RecordedRun>) => {
      run = { ...run, ...change }
      // A long run may outlive its place.
      if (rings.get(run.flow)?.has(run.id)) keep(run)
    }
    return {
      id: run.id,
      hop(hop) {
        const until = ticks()
        update(follow(run, hop, until - since))
        since = until
      },
      end(error) {
        if (error) update({ errors: nameErrors(error) })
      },
    }
  }

  return {
    begin,
    find: (id) => [...rings.values()].map((ring) => ring.get(id)).find(Boolean),
    list: () =>
      [...rings.values()]
        .flatMap((ring) => [...ring.values()])
        .toSorted((a, b) => Number.parseInt(b.id) - Number.parseInt(a.id)),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function start(id: string, { flow, method, action, provider }: BegunRun, startedAt: number): RecordedRun {
  const request = `${method} ${action}${provider === undefined ? '' : `/${provider}`}`
  return { id, flow, request, startedAt, hops: [], state: graphs.get(flow)?.initial ?? '', errors: [] }
}

function follow(run: RecordedRun, { state, event, next, fault }: TracedHop, milliseconds: number) {
  const hop: RecordedHop = { state, event, next, milliseconds: Math.round(milliseconds * 1000) / 1000 }
  const ending = graphs.get(run.flow)?.nodes.find(({ id }) => id === next)?.ending
  return {
    hops: [...run.hops, hop],
    state: next,
    ...(ending && { ending }),
    ...(fault && { errors: nameErrors(fault) }),
  }
}
