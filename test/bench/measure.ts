/** A variant to time, next to others that do the same work. */
export interface Variant {
  readonly name: string
  readonly run: () => unknown
}

/** Microseconds per run; the quartiles of all rounds. */
export interface Timing {
  readonly name: string
  readonly median: number
  readonly low: number
  readonly high: number
  /** Processor time of all threads, which does not grow on a busy machine. */
  readonly cpu: number
  /** The ratio to the first variant's time: the median of the ratios within each round. */
  readonly ratio: number
  /** The same ratio, of processor time. */
  readonly cpuRatio: number
}

export interface Effort {
  /** Milliseconds that each variant runs before the measurement: at least, and at most. */
  readonly warmUp: readonly [shortest: number, longest: number]
  readonly rounds: number
  /** Milliseconds that each variant runs in one round. */
  readonly slice: number
}

export const quickEffort: Effort = { warmUp: [400, 400], rounds: 9, slice: 25 }
export const fullEffort: Effort = { warmUp: [1500, 12_000], rounds: 25, slice: 80 }

/**
 * After this many runs, V8 has also optimized the functions that each run calls only once. Code whose functions are
 * called in loops is optimized much sooner.
 */
const settledAfter = 30_000

/**
 * Times variants in turn, one slice each, round after round. A disturbance of the machine affects all variants, so the
 * ratios within a round stay valid even if the times drift. If a runner finished one variant before the next, it could
 * not compute such ratios.
 */
export async function measure(
  variants: readonly Variant[],
  inFlight: number,
  { warmUp, rounds, slice }: Effort,
): Promise<Timing[]> {
  const sizes: number[] = []
  for (const { run } of variants) {
    await prepare(run, inFlight, warmUp)
    const { wall } = await time(run, inFlight, 32)
    sizes.push(Math.max(1, Math.round((slice * 1000) / wall / inFlight)))
  }
  const times: Time[][] = variants.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < variants.length; turn++) {
      const index = (turn + round) % variants.length
      const { run } = variants[index] as Variant
      times[index]?.push(await time(run, inFlight, sizes[index] ?? 1))
    }
  }
  const [first = []] = times
  return variants.map(({ name }, index) => summarise(name, times[index] ?? [], first))
}

async function prepare(
  run: () => unknown,
  inFlight: number,
  [shortest, longest]: Effort['warmUp'],
): Promise<void> {
  const startedAt = performance.now()
  for (let runs = 0, passed = 0; passed < shortest || (passed < longest && runs < settledAfter);) {
    await repeat(run, inFlight, 16)
    runs += 16 * inFlight
    passed = performance.now() - startedAt
  }
}

function summarise(name: string, times: readonly Time[], first: readonly Time[]): Timing {
  const walls = times.map(({ wall }) => wall)
  const ratios = (of: keyof Time) => times.map((time, round) => time[of] / (first[round]?.[of] ?? Number.NaN))
  return {
    name,
    low: quantile(walls, 0.25),
    median: quantile(walls, 0.5),
    high: quantile(walls, 0.75),
    cpu: quantile(
      times.map(({ cpu }) => cpu),
      0.5,
    ),
    ratio: quantile(ratios('wall'), 0.5),
    cpuRatio: quantile(ratios('cpu'), 0.5),
  }
}

/** Microseconds per run: wall-clock time, and processor time of all threads. */
interface Time {
  readonly wall: number
  readonly cpu: number
}

async function time(run: () => unknown, inFlight: number, batches: number): Promise<Time> {
  const startedAt = performance.now()
  const usedBefore = process.cpuUsage()
  await repeat(run, inFlight, batches)
  const used = process.cpuUsage(usedBefore)
  const runs = batches * inFlight
  return { wall: ((performance.now() - startedAt) * 1000) / runs, cpu: (used.user + used.system) / runs }
}

async function repeat(run: () => unknown, inFlight: number, batches: number): Promise<void> {
  if (inFlight === 1) {
    for (let batch = 0; batch < batches; batch++) {
      const done = run()
      if (done instanceof Promise) await done
    }
    return
  }
  for (let batch = 0; batch < batches; batch++) await Promise.all(Array.from({ length: inFlight }, run))
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  return low + ((sorted[Math.ceil(place)] ?? Number.NaN) - low) * (place - Math.floor(place))
}
