import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two attempts. */
const pause = 500

/**
 * Waits until a URL responds: with status 200, or with any status that is not a server error.
 *
 * @param patience milliseconds
 * @throws {Error} if it does not respond in time, with the result of the last attempt
 */
export async function waitFor(url: string, patience: number, expected: 200 | 'any' = 200): Promise<void> {
  const until = performance.now() + patience
  for (;;) {
    const left = Math.max(1, until - performance.now())
    const found = await tryOnce(url, Math.ceil(left))
    if (found === 200 || (expected === 'any' && typeof found === 'number' && found < 500)) return
    if (performance.now() + pause > until)
      throw new Error(`Expected ${url} to respond with status 200 within ${patience / 1000} s, got ${found}`)
    await sleep(pause)
  }
}

/** Returns the status, or the reason why there was none. */
async function tryOnce(url: string, patience: number): Promise<number | string> {
  try {
    const { status, body } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patience) })
    await body?.cancel()
    return status
  } catch (error) {
    const { cause, message } = error instanceof Error ? error : new Error(String(error))
    // A host name with several addresses has one error for each.
    const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause]
    return first instanceof Error ? first.message : message
  }
}
