import { AsyncResource } from 'node:async_hooks'
import type { Platform } from 'authmachine/types'

/** A clock that only a test advances. Put it into a configuration under the {@link platform} symbol. */
export interface VirtualClock extends Pick<Platform, 'now' | 'timer'> {
  /** Advances the clock by this many seconds, and fires the timers due by then, in order. */
  readonly advance: (seconds: number) => void
}

/** Timers shorter than this fire at once, because no test advances the clock for them. In milliseconds. */
const pause = 1000

interface Timer {
  readonly due: number
  readonly fire: () => void
}

/**
 * Creates a clock for a configuration under test: sessions, sign-ins and mailed links expire by it. Other processes, and
 * your own code, still use the system clock.
 *
 * @param start the initial time; by default now
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
    timer(milliseconds, fire) {
      if (milliseconds < pause) {
        const handle = setImmediate(fire)
        return { cancel: () => clearImmediate(handle) }
      }
      // Like a timer of the runtime, it keeps the context of `AsyncLocalStorage` in which it was started.
      const timer = { due: time + milliseconds, fire: AsyncResource.bind(fire) }
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
        next.fire()
      }
      time = end
    },
  }
}
