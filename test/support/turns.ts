/** Work that does not wait for a clock should be done within this many milliseconds, even on a busy machine. */
const enough = 2000

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Waits until a condition holds, and fails if it never does. */
export async function until(isSo: () => boolean): Promise<void> {
  const start = performance.now()
  while (!isSo()) {
    if (performance.now() - start > enough) throw new Error('The condition was never met')
    await turn()
  }
}

/** Awaits work that has nothing left to wait for. Fails if it does not settle. */
export async function soon<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  await Promise.race([done, until(() => isDone)])
  return done
}

/** Whether the work is still pending, although it had time to settle. */
export async function isWaiting(work: Promise<unknown>): Promise<boolean> {
  let isDone = false
  work.then(
    () => (isDone = true),
    () => (isDone = true),
  )
  for (let turns = 0; turns < 20; turns++) await turn()
  return !isDone
}
