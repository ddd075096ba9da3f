import { encodeHex } from '../../crypto/bytes.ts'
import { nameErrors } from '../../errors/error-names.ts'
import type { BegunRun, RunTrace, TracedCookies, TracedHop } from '../../types/trace.ts'
import { findGraph, noteChart } from './graphs.ts'
import { createGrouping } from './grouping.ts'
import type { RecordedHop, RecordedRun } from './recorded-run.ts'

/**
 * The number of runs of each flow that are kept. The limit is per flow, so that session reads do not push out sign-ins.
 */
export const kept = 30

/** The sources of time and randomness. */
export interface RecorderOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds, with fractions, from an arbitrary start. */
  readonly ticks: () => number
  readonly randomBytes: (length: number) => Uint8Array
}

/**
 * Something that pages show at once: a run that has changed, a configuration fault, that the configuration is valid
 * again, or that all runs were removed.
 */
export type Change =
  | { readonly type: 'run'; readonly run: RecordedRun }
  | { readonly type: 'fault' | 'valid' }
  | { readonly type: 'clear' }

export type Listener = (change: Change) => void

/** A run whose id the error page shows. */
interface RecordedTrace extends RunTrace {
  readonly id: string
}

/** Keeps the latest runs of each flow and notifies listeners. */
export interface Recorder {
  readonly begin: (run: BegunRun, received: () => TracedCookies) => RecordedTrace
  /** Notes that a configuration fault prevents flows from running. */
  readonly reject: (fault: Error) => void
  /** The types of the last configuration fault and of its causes. Empty if a flow has run since. */
  readonly fault: () => readonly string[]
  readonly find: (id: string) => RecordedRun | undefined
  /** The newest first. */
  readonly list: () => readonly RecordedRun[]
  /** Removes all runs and the configuration fault. */
  readonly clear: () => void
  /** @returns an unsubscribe function */
  readonly listen: (listener: Listener) => () => void
}

export function createRecorder({ now, ticks, randomBytes }: RecorderOptions): Recorder {
  const rings = new Map<string, Map<string, RecordedRun>>()
  const listeners = new Set<Listener>()
  const grouping = createGrouping(new DataView(randomBytes(4).slice().buffer).getUint32(0))
  let fault: readonly string[] = []
  let count = 0

  function tell(change: Change): void {
    for (const listener of listeners) listener(change)
  }

  function keep(run: RecordedRun): void {
    const ring = rings.get(run.flow) ?? new Map<string, RecordedRun>()
    rings.set(run.flow, ring)
    const isNew = !ring.has(run.id)
    ring.set(run.id, run)
    const [oldest] = ring.keys()
    if (isNew && ring.size > kept && oldest !== undefined) ring.delete(oldest)
    tell({ type: 'run', run })
  }

  function begin(begun: BegunRun, received: () => TracedCookies): RecordedTrace {
    count += 1
    noteChart(begun.chart)
    if (fault.length > 0) {
      fault = []
      tell({ type: 'valid' })
    }
    // Anyone who knows the run's id can open it on the error page.
    const id = `${count}-${encodeHex(randomBytes(16))}`
    let run = start(
      id,
      grouping.place({ id, flow: begun.flow, method: begun.method }, received()),
      begun,
      now(),
    )
    let since = ticks()
    keep(run)
    const update = (change: Partial<RecordedRun>) => {
      run = { ...run, ...change }
      // A long run may have been dropped already.
      if (rings.get(run.flow)?.has(run.id)) keep(run)
    }
    return {
      id: run.id,
      hop(hop) {
        const until = ticks()
        update(follow(run, hop, until - since))
        since = until
      },
      end({ ending, error, sent }) {
        grouping.bind(run, sent())
        update({ ending, ...(error && { errors: nameErrors(error) }) })
      },
    }
  }

  return {
    begin,
    reject(error) {
      fault = nameErrors(error)
      tell({ type: 'fault' })
    },
    fault: () => fault,
    clear() {
      rings.clear()
      fault = []
      tell({ type: 'clear' })
    },
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

function start(
  id: string,
  group: string,
  { flow, method, action, provider }: BegunRun,
  startedAt: number,
): RecordedRun {
  const request = `${method} ${action}${provider === undefined ? '' : `/${provider}`}`
  return { id, group, flow, request, startedAt, hops: [], state: findGraph(flow)?.initial ?? '', errors: [] }
}

function follow(run: RecordedRun, { state, event, next, fault }: TracedHop, milliseconds: number) {
  const hop: RecordedHop = { state, event, next, milliseconds: Math.round(milliseconds * 1000) / 1000 }
  return {
    hops: [...run.hops, hop],
    state: next,
    // The first fault caused the faults of the steps that clean up.
    ...(fault && run.errors.length === 0 && { errors: nameErrors(fault) }),
  }
}
