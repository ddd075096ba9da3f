import type { Adapter } from '../../src/types/adapter.ts'

type Operation = (...args: unknown[]) => unknown

/** A store that controls the interleaving of several flows. */
export interface Interleaving {
  /** For the `wrap` option of `openApp`. */
  readonly wrap: (adapter: Adapter) => Adapter
  /**
   * Runs flows concurrently. No call is performed until every flow waits for one or has ended. The choices then select
   * the call to perform, one at a time, starting again from the first choice at the end.
   */
  readonly run: <T>(flows: readonly (() => Promise<T>)[], choices: readonly number[]) => Promise<T[]>
}

export function interleavedStore(): Interleaving {
  const waiting: (() => void)[] = []
  let [running, turn] = [0, 0]
  let order: readonly number[] = [0]
  const release = () => {
    if (waiting.length === 0 || waiting.length < running) return
    const [next] = waiting.splice((order[turn++ % order.length] ?? 0) % waiting.length, 1)
    next?.()
  }
  const perform = async (operation: Operation, args: unknown[]) => {
    if (running > 0) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        release()
      })
    }
    return operation(...args)
  }
  return {
    wrap: (adapter) =>
      Object.fromEntries(
        Object.entries(adapter).map(([name, operation]) => [
          name,
          (...args: unknown[]) => perform(operation as Operation, args),
        ]),
      ),
    run(flows, choices) {
      running = flows.length
      turn = 0
      order = choices
      const end = () => {
        running -= 1
        release()
      }
      return Promise.all(flows.map((flow) => flow().finally(end)))
    },
  }
}
