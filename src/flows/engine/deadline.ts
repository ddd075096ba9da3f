import { stepDeadline } from '../../platform/clock.ts'
import type { Platform } from '../../types/config.ts'

/**
 * Calls one of two functions when the work is done. Work that exceeds its deadline counts as failed, and its later
 * result is ignored.
 *
 * @param deadline milliseconds, by default those of a step
 */
export function settleInTime<T>(
  work: Promise<T>,
  what: string,
  platform: Platform,
  onValue: (value: T) => void,
  onError: (error: unknown) => void,
  deadline = stepDeadline,
): void {
  let isOver = false
  const timer = platform.timer(deadline, () =>
    end(onError, new Error(`${what} took longer than ${deadline} milliseconds`)),
  )
  const end = <A>(settle: (answer: A) => void, answer: A) => {
    if (isOver) return
    isOver = true
    timer.cancel()
    settle(answer)
  }
  work.then(
    (value) => end(onValue, value),
    (error: unknown) => end(onError, error),
  )
}

/** Rejects if the work takes longer than a step may. */
export function withDeadline<T>(work: Promise<T>, what: string, platform: Platform): Promise<T> {
  return new Promise((resolve, reject) => settleInTime(work, what, platform, resolve, reject))
}

/** Resolves after some milliseconds. */
export function wait(milliseconds: number, { timer }: Platform): Promise<void> {
  return new Promise((resolve) => void timer(milliseconds, resolve))
}

/** Maximum milliseconds of a call within a step. Much less than the deadline of a step, to leave time for cleaning up. */
const callDeadline = 10_000

/**
 * Rejects if a call, such as a write, takes too long. The step can then check the result itself, and undo a partial
 * change that must not remain (FI-02).
 */
export function respondInTime<T>(call: Promise<T>, what: string, platform: Platform): Promise<T> {
  return new Promise((resolve, reject) => settleInTime(call, what, platform, resolve, reject, callDeadline))
}
