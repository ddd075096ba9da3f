import { setImmediate as nextTurn } from 'node:timers/promises'

/** Runs a function, and collects unhandled rejections. */
export async function collectUnhandled<T>(work: () => Promise<T>): Promise<[T, readonly unknown[]]> {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const done = await work()
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    return [done, unhandled]
  } finally {
    process.off('unhandledRejection', note)
  }
}
