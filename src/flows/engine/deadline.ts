import { stepDeadline } from '../../clock.ts'
import type { Platform } from '../../types/config.ts'

/** Rejects if the work takes longer than a step may. */
export function withDeadline<T>(work: Promise<T>, what: string, platform: Platform): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = platform.timer(stepDeadline, () =>
      reject(new Error(`${what} took longer than ${stepDeadline} milliseconds`)),
    )
    const end =
      <A>(settle: (answer: A) => void) =>
      (answer: A) => {
        timer.cancel()
        settle(answer)
      }
    work.then(end(resolve), end(reject))
  })
}

/** Resolves after some milliseconds. */
export function wait(milliseconds: number, { timer }: Platform): Promise<void> {
  return new Promise((resolve) => void timer(milliseconds, resolve))
}

/** Maximum milliseconds of a write. Much less than the deadline of a step, to leave time for cleaning up. */
const writeDeadline = 10_000

/**
 * Rejects if a write takes too long, so that the step itself can check its result, and undo what must not remain alone
 * (FI-02).
 */
export function answerInTime<T>(write: Promise<T>, what: string, platform: Platform): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = platform.timer(writeDeadline, () =>
      reject(new Error(`${what} took longer than ${writeDeadline} milliseconds`)),
    )
    write.then(resolve, reject).finally(() => timer.cancel())
  })
}
