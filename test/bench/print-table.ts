import type { Job } from './contestants.ts'
import type { Timing } from './measure.ts'
import { targets } from './targets.ts'

/** One job, by all who can do it; ours comes first. */
export interface Row {
  readonly job: Job
  readonly inFlight: number
  readonly timings: readonly Timing[]
}

/** The rows as text: times with their quartiles, how many times ours each takes, and what was aimed at. */
export function printTable(rows: readonly Row[]): string {
  const head = ['job', 'in flight', 'what', 'us', 'quartiles', 'CPU us', 'times ours', 'in CPU', 'target']
  const lines = rows.flatMap((row) => row.timings.map((timing, index) => cells(row, timing, index === 0)))
  const widths = head.map((text, column) => Math.max(text.length, ...lines.map((line) => line[column]?.length ?? 0)))
  return [head, ...lines]
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ').trimEnd())
    .join('\n')
}

function cells({ job, inFlight }: Row, timing: Timing, isFirst: boolean): string[] {
  const { name, ratio } = timing
  const target = targets.find((each) => each.job === job && each.inFlight === inFlight)
  const judged = name === '@auth/core' && target ? judge(ratio, target.atLeast) : ''
  const place = isFirst ? [job, String(inFlight)] : ['', '']
  const ratios = isFirst ? ['', ''] : [ratio.toFixed(2), timing.cpuRatio.toFixed(2)]
  const quartiles = `${show(timing.low)} to ${show(timing.high)}`
  return [...place, name, show(timing.median), quartiles, show(timing.cpu), ...ratios, judged]
}

function judge(ratio: number, atLeast: number): string {
  return ratio >= atLeast ? `met (${atLeast})` : `MISSED (${atLeast})`
}

function show(microseconds: number): string {
  return microseconds.toFixed(microseconds < 100 ? 1 : 0)
}
