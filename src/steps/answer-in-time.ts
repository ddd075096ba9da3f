import type { Platform } from '../types/config.ts'

/** Milliseconds that one write may take: well below the deadline of a step, so that there is time to tidy up. */
const writeDeadline = 10_000

/**
 * Rejects when a write takes too long, so that the step itself can find out what became of it, and take back what must
 * not stay alone (FI-02).
 */
export function answerInTime<T>(write: Promise<T>, what: string, platform: Platform): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = platform.timer(writeDeadline, () =>
      reject(new Error(`${what} took longer than ${writeDeadline} milliseconds`)),
    )
    write.then(resolve, reject).finally(() => timer.cancel())
  })
}
