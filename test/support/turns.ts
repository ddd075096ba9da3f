/** Milliseconds after which something that waits for no clock should have happened, on a busy machine too. */
const enough = 2000

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Waits until it is so, and fails when it never comes to that. */
export async function until(isSo: () => boolean): Promise<void> {
  const start = performance.now()
  while (!isSo()) {
    if (performance.now() - start > enough) throw new Error('It never came to that')
    await turn()
  }
}

/** What the work comes to, which has nothing to wait for any more; fails when it goes on waiting. */
export async function soon<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  await Promise.race([done, until(() => isDone)])
  return done
}

/** Has the work not come to anything yet, though it had the time? */
export async function isWaiting(work: Promise<unknown>): Promise<boolean> {
  let isDone = false
  work.then(
    () => (isDone = true),
    () => (isDone = true),
  )
  for (let turns = 0; turns < 20; turns++) await turn()
  return !isDone
}
