import { RateLimited } from '../errors/classes.ts'

/** Runs work, or waits until other work has ended. */
export type Limited = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Limits the number of calls that run at once. Calls start in the order in which they were made.
 *
 * @param waiting the number of calls that may wait; the next one is rejected
 */
export function limitConcurrency(running: number, waiting: number): Limited {
  const queue: (() => void)[] = []
  let free = running
  const release = () => {
    const next = queue.shift()
    if (next) next()
    else free++
  }
  return async (work) => {
    if (free > 0) free--
    else if (queue.length >= waiting)
      throw new RateLimited(
        `More than ${waiting} passwords wait to be hashed. Limit attempts with \`callbacks.rateLimit\``,
      )
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      release()
    }
  }
}
