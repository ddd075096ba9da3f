import { stepDeadline } from '../clock.ts'
import type { Platform } from '../types/config.ts'

/** Rejects when the work takes longer than a step may. */
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
