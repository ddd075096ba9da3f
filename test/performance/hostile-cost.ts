import type { Hostile, Prepare } from './hostile-input.ts'

/** How much an attack costs. */
export interface Cost {
  /** Milliseconds of processor time that one request takes. */
  readonly attack: number
  /** That time, divided by the time of a well-formed request of the same size. */
  readonly ratio: number
}

/** The most that an attack may cost, in requests of the same size (LM-11). */
export const highestRatio = 3

/** Milliseconds of processor time that a batch takes at least, so that the clock and a garbage collection matter little. */
const batch = 0.5

/**
 * Compares the processor time of an attack with that of a well-formed request. Both run in turn, in batches, so that
 * other programs on the machine slow down both alike, and the median of the pairs counts. Measures more pairs, up to 41,
 * unless the ratio is far from the limit.
 */
export async function compareCosts(
  { attack, plain }: Pick<Hostile, 'attack' | 'plain'>,
  pairs = 3,
): Promise<Cost> {
  for (let n = 0; n < 3; n++) for (const each of [plain, attack]) await each()()
  const size = Math.max(1, Math.min(20, Math.ceil(batch / (await time(plain, 1)))))
  const measured: Cost[] = []
  for (const [count, low, high] of [
    [pairs, 0.5, 10],
    [11, 0.7, 3],
    [41, 1, 1],
  ] as const) {
    while (measured.length < count) {
      const usual = await time(plain, size)
      const cost = await time(attack, size)
      measured.push({ attack: cost, ratio: cost / usual })
    }
    const ratio = middle(measured, 'ratio') / highestRatio
    if (ratio < low || ratio > high) break
  }
  return { attack: middle(measured, 'attack'), ratio: middle(measured, 'ratio') }
}

/** Milliseconds of processor time of one run, on average of a batch. The client's work does not count. */
async function time(prepare: Prepare, size: number): Promise<number> {
  const runs = Array.from({ length: size }, () => prepare())
  const from = process.cpuUsage()
  for (const run of runs) await run()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000 / size
}

function middle(measured: readonly Cost[], of: keyof Cost): number {
  return measured.map((each) => each[of]).toSorted((a, b) => a - b)[Math.floor(measured.length / 2)] ?? 0
}
