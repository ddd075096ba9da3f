import type { Job } from './contestants.ts'
import type { Timing } from './measure.ts'
import { show, type Table } from './present.ts'
import { judge, targets, tell, type Verdict } from './targets.ts'

/** The timings of one job by all contestants. This library comes first. */
export interface Row {
  readonly job: Job
  readonly inFlight: number
  readonly timings: readonly Timing[]
}

/** The part of a job that is the user's device and no work of a server. */
export const authenticatorAlone = 'the authenticator alone'

const head = ['job', 'in flight', 'what', 'µs', 'quartiles', 'CPU µs', 'times ours', 'CPU', 'target']

/** Renders times with their quartiles, ratios to this library's time, and targets. */
export function describeRows(title: string, rows: readonly Row[]): Table {
  const about =
    'One request from Request to Response, or all requests of a sign-in, in one process. The times are microseconds ' +
    '(median and quartiles of the rounds) and processor time of all threads. "Times ours" is the time as a multiple of ' +
    'authmachine’s, the median of the ratios within each round: 0.5 is twice as fast as authmachine, 2 half as fast. ' +
    `The ratios of the passkey sign-in to the floors leave out "${authenticatorAlone}".`
  return {
    title,
    about,
    head,
    rows: rows.flatMap((row) => row.timings.map((timing, index) => cells(row, timing, index === 0))),
    verdicts: rows.flatMap((row) => judgeRow(row).map(({ verdict }) => verdict)),
    figures: Object.fromEntries(rows.flatMap(figuresOf)),
  }
}

function cells(row: Row, timing: Timing, isFirst: boolean): string[] {
  const { name, median, low, high, cpu, ratio, cpuRatio } = timing
  const place = isFirst ? [row.job, String(row.inFlight)] : ['', '']
  const ratios = isFirst ? ['', ''] : [ratio.toFixed(2), cpuRatio.toFixed(2)]
  const judged = judgeRow(row).find((each) => each.name === name)?.verdict
  const target = judged ? `${judged.value.toFixed(2)} ${judged.unit}: ${tell(judged)}` : ''
  return [...place, name, show(median), `${show(low)} to ${show(high)}`, show(cpu), ...ratios, target]
}

/** Judges the targets of a job, each beside the contestant with which it compares. */
function judgeRow({ job, inFlight, timings }: Row): { readonly name: string; readonly verdict: Verdict }[] {
  const alone = timings.find(({ name }) => name === authenticatorAlone)?.ratio ?? 0
  return targets
    .filter((each) => each.job === job && (each.inFlight ?? 1) === inFlight)
    .flatMap(({ unit }) => {
      const other = timings.find(({ name }) => unit.endsWith(name))
      if (!other) return []
      const value = unit.startsWith('times') ? other.ratio : (1 - alone) / (other.ratio - alone)
      return { name: other.name, verdict: judge(job, unit, value, inFlight) }
    })
}

/** How many times as fast as @auth/core this library is. */
function figuresOf({ job, inFlight, timings }: Row): (readonly [string, number])[] {
  const peer = timings.find(({ name }) => name === '@auth/core')
  return peer ? [[`${job}, ${inFlight} in flight`, peer.ratio]] : []
}

/** Splits the time of each flow into the bare floor, the promises and the design. */
export function describePrices(rows: readonly Row[]): Table {
  const about =
    'Where the time of authmachine comes from, in microseconds. The promises are the difference between the two floors: ' +
    'limits, deadlines, a new CSRF token, and the refusal of duplicates. The design is the difference between ' +
    'authmachine and the protected floor. Percentages are of the bare floor.'
  const head = ['job', 'in flight', 'bare floor', 'promises', 'design', 'authmachine']
  return { title: 'The price of the promises', about, head, rows: rows.flatMap(splitTime) }
}

function splitTime({ job, inFlight, timings }: Row): string[][] {
  const find = (wanted: string) => timings.find(({ name }) => name === wanted)
  const [ours, guarded, bare] = [timings[0], find('protected floor'), find('bare floor')]
  if (!ours || !guarded || !bare) return []
  // The ratios within the rounds are more precise than the medians.
  const microseconds = ({ ratio }: Timing) => ratio * ours.median
  const floor = microseconds(bare)
  const part = (time: number) => `${show(time)} (${((time / floor) * 100).toFixed(0)} %)`
  const promises = microseconds(guarded) - floor
  const design = ours.median - microseconds(guarded)
  return [[job, String(inFlight), show(floor), part(promises), part(design), show(ours.median)]]
}
