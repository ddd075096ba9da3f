import { AsyncResource } from 'node:async_hooks'

/** The time of a world. It only moves when a test advances it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Advances the clock, and fires the timers that are due by then, in order. */
  readonly advance: (seconds: number) => void
  /**
   * Starts the time of the next world, without timers. It is later than the times of all earlier worlds, because a
   * target may have cached responses.
   */
  readonly reset: () => void
}

/** The clock of a thread. */
export interface ThreadClock extends Clock {
  /**
   * Sets the time, forwards or backwards, without firing timers, because nothing waits for a timer between requests. In
   * milliseconds since 1970.
   */
  readonly goTo: (time: number) => void
}

interface Timer {
  readonly due: number
  readonly ring: () => void
}

/**
 * The time at which the first world of a thread starts, and the distance to the start of the next one, in milliseconds.
 */
const beginning = Date.UTC(2030, 0, 1)
const step = (2 * 24 + 7) * 3_600_000 + 780_000
/** Shorter timers fire at once, without the clock. In milliseconds. */
const pause = 1000
/** Longer timers also fire at once, as in every runtime. In milliseconds. */
const longest = 2 ** 31 - 1

/**
 * Replaces the clock of this thread: `Date`, `setTimeout` and `AbortSignal.timeout`. Call it before you load the target,
 * in its own thread, because a target may keep references to them.
 */
export function installClock(): ThreadClock {
  let begin = beginning - step
  let time = beginning
  const timers = new Map<object, Timer>()
  const { Date: SystemDate, setTimeout: systemTimeout, clearTimeout: clearSystemTimeout } = globalThis

  const startTimer = (ring: () => void, milliseconds: number): object => {
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => true }
    // Like a timer of the runtime, it keeps the context of `AsyncLocalStorage` in which it was started.
    timers.set(handle, { due: time + milliseconds, ring: AsyncResource.bind(ring) })
    return handle
  }
  const setTimer = (work: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]): object =>
    milliseconds < pause || milliseconds > longest
      ? systemTimeout(work, 0, ...args)
      : startTimer(() => work(...args), milliseconds)
  const clearTimer = (handle: NodeJS.Timeout | object | undefined) => {
    if (handle && !timers.delete(handle)) clearSystemTimeout(handle as NodeJS.Timeout)
  }
  const abortLater = (milliseconds: number) => {
    const controller = new AbortController()
    startTimer(
      () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
      milliseconds,
    )
    return controller.signal
  }

  globalThis.Date = new Proxy(SystemDate, {
    construct: (date, args, as) => Reflect.construct(date, args.length > 0 ? args : [time], as),
    apply: () => new SystemDate(time).toString(),
    get: (date, name) => (name === 'now' ? () => time : Reflect.get(date, name)),
  })
  Object.assign(globalThis, { setTimeout: setTimer, clearTimeout: clearTimer })
  Object.assign(AbortSignal, { timeout: abortLater })

  return {
    now: () => time,
    advance(seconds) {
      const end = time + seconds * 1000
      for (;;) {
        const [next] = [...timers].filter(([, { due }]) => due <= end).toSorted((a, b) => a[1].due - b[1].due)
        if (!next) break
        timers.delete(next[0])
        time = Math.max(time, next[1].due)
        next[1].ring()
      }
      time = end
    },
    goTo(next) {
      time = next
      timers.clear()
    },
    reset() {
      begin += step
      time = begin
      timers.clear()
    },
  }
}
