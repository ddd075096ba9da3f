import { writeMilliseconds } from '../drawing/write-milliseconds.ts'
import { findAdvice } from './advice.ts'
import type { RecordedRun } from './recorded-run.ts'

/** A run as a line of the list. What the page's script gets of it is this, as JSON. */
export interface Summary {
  readonly id: string
  readonly url: string
  readonly flow: string
  readonly request: string
  /** ISO 8601. */
  readonly at: string
  /** `success`, `refusal` and `fault`, or `running`. */
  readonly look: string
  readonly verdict: string
  readonly took: string
  /** Why it failed. */
  readonly reason: string
}

/** Puts a run into one line. */
export function summarise(run: RecordedRun, path: string): Summary {
  const { id, flow, request, startedAt, hops, state } = run
  const look = run.ending ?? 'running'
  return {
    id,
    url: `${path}/runs/${id}`,
    flow,
    request,
    at: new Date(startedAt).toISOString(),
    look,
    verdict: run.ending === undefined ? `in ${state}` : state,
    took: writeMilliseconds(hops.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
    reason: failureOf(run)?.reason ?? '',
  }
}

/** What to say of a run that failed; undefined of one that went well, or is under way. */
export function failureOf({ ending, hops }: RecordedRun) {
  const last = hops.at(-1)
  if (!last || ending === undefined || ending === 'success') return undefined
  return { state: last.state, event: last.event, ...findAdvice(last.event) }
}
