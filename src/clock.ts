import { randomBytes } from './crypto/random.ts'
import type { Platform } from './types/config.ts'

/** Timers of 2^31 ms and more ring at once. */
const longestTimer = 2 ** 31 - 1

/** Milliseconds that an asynchronous step may take (decision 34). */
export const stepDeadline = 30_000

/** Milliseconds from some point on, with fractions: for how long something takes. */
export function ticks(): number {
  return performance.now()
}

/** Time, randomness and network of the runtime. All is looked up when it is used, so that tests may replace it. */
export const systemPlatform: Platform = Object.freeze({
  now: () => Date.now(),
  randomBytes,
  fetch: (input, init) => fetch(input, init),
  timer(milliseconds, ring) {
    const handle = setTimeout(ring, Math.min(milliseconds, longestTimer))
    return { cancel: () => clearTimeout(handle) }
  },
} satisfies Platform)
