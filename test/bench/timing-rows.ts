import type { Job } from './contestants.ts'
import type { Timing } from './measure.ts'
import { show, type Table } from './present.ts'
import { targets, type Target } from './targets.ts'

/** The timings of one job by all contestants. This library comes first. */
export interface Row {
  readonly job: Job
  readonly inFlight: number
  readonly timings: readonly Timing[]
}

const head = ['job', 'in flight', 'what', 'µs', 'quartiles', 'CPU µs', 'ratio', 'CPU ratio', 'target']

/** Renders times with their quartiles, ratios to this library's time, and targets. */
export function describeRows(rows: readonly Row[]): Table {
  const about =
    'From Request to Response in one process. Wall-clock time in microseconds (median and quartiles of the rounds), ' +
    'processor time of all threads, and the ratio to authmachine: the median of the ratios within each round. The ' +
    'target column also shows the ratio that the floor reaches.'
  const lines = rows.flatMap((row) => row.timings.map((timing, index) => cells(row, timing, index === 0)))
  return { title: 'Requests', about, head, rows: lines }
}

function cells({ job, inFlight, timings }: Row, timing: Timing, isFirst: boolean): string[] {
  const { name, median, low, high, cpu, ratio, cpuRatio } = timing
  const target = targets.find((each) => each.job === job && each.inFlight === inFlight)
  const judged = target ? judge(timing, timings, target) : ''
  const place = isFirst ? [job, String(inFlight)] : ['', '']
  const ratios = isFirst ? ['', ''] : [ratio.toFixed(2), cpuRatio.toFixed(2)]
  return [...place, name, show(median), `${show(low)} to ${show(high)}`, show(cpu), ...ratios, judged]
}

function judge({ name, ratio }: Timing, all: readonly Timing[], { atLeast }: Target): string {
  const peer = all.find((each) => each.name === '@auth/core')
  if (name === 'floor' && peer) return `floor: ${(peer.ratio / ratio).toFixed(1)}`
  if (name !== '@auth/core') return ''
  return ratio >= atLeast ? `met (${atLeast})` : `missed (${atLeast})`
}
