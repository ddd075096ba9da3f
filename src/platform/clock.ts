import { randomBytes } from '../crypto/random.ts'
import type { Platform } from '../types/config.ts'

/** Timers of 2^31 ms and more fire immediately. */
const longestTimer = 2 ** 31 - 1

/** Milliseconds that an asynchronous step may take (decision 34). */
export const stepDeadline = 30_000

/** Returns milliseconds, with fractions, from an arbitrary start. For measuring durations. */
export function ticks(): number {
  return performance.now()
}

/** Time, randomness and network of the runtime. Looked up on use, so that tests can replace them. */
export const systemPlatform: Platform = Object.freeze({
  now: () => Date.now(),
  randomBytes,
  fetch: (input, init) => fetch(input, init),
  timer(milliseconds, ring) {
    const handle = setTimeout(ring, Math.min(milliseconds, longestTimer))
    return { cancel: () => clearTimeout(handle) }
  },
} satisfies Platform)
