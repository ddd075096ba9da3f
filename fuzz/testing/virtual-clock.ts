import type { Platform } from 'authmachine/types'

/** Time that stands still until a test turns it. Goes into a configuration under the {@link platform} symbol. */
export interface VirtualClock extends Pick<Platform, 'now' | 'timer'> {
  /** Turns the clock by so many seconds; the deadlines that were due by then pass, in order. */
  readonly advance: (seconds: number) => void
}

/** Nobody turns the clock for a pause shorter than this: it passes at once. In milliseconds. */
const pause = 1000

interface Timer {
  readonly due: number
  readonly ring: () => void
}

/**
 * A clock for a configuration under test: sessions, sign-ins and mailed links expire when it says so. What runs in
 * another process, and your own code, goes by the system's clock as before.
 *
 * @param start when it begins; now, unless told otherwise
 * @example
 * const clock = virtualClock()
 * const auth = createAuth({ ...config, [platform]: clock })
 * clock.advance(31 * 86_400)
 */
export function virtualClock(start: Date = new Date()): VirtualClock {
  let time = start.getTime()
  const timers = new Set<Timer>()
  return {
    now: () => time,
    timer(milliseconds, ring) {
      if (milliseconds < pause) {
        const handle = setImmediate(ring)
        return { cancel: () => clearImmediate(handle) }
      }
      const timer = { due: time + milliseconds, ring }
      timers.add(timer)
      return { cancel: () => void timers.delete(timer) }
    },
    advance(seconds) {
      const end = time + seconds * 1000
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due)
        if (!next) break
        timers.delete(next)
        time = Math.max(time, next.due)
        next.ring()
      }
      time = end
    },
  }
}
