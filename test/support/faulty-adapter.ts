import type { Adapter } from '../../src/types/adapter.ts'

type Operation = (...args: unknown[]) => unknown

/** Chooses what a faulty adapter does with one call. */
export interface AdapterFaults {
  /** For the `wrap` option of `openApp`. */
  readonly wrap: (adapter: Adapter) => Adapter
  /** Names of the methods that were called since it was armed, in order. */
  readonly calls: string[]
  /**
   * The `call`-th call from now on, counted from 0, throws once: before it has an effect, or afterwards, as if the
   * connection broke before the response. Without a number, no call throws.
   */
  readonly arm: (call?: number, when?: 'before' | 'after') => void
}

/** An adapter that fails on demand and otherwise behaves like the original. */
export function planFaults(): AdapterFaults {
  const calls: string[] = []
  let plan: { readonly call?: number; readonly when: 'before' | 'after' } = { when: 'before' }
  const perform = (name: string, operation: Operation, args: unknown[]) => {
    const isDue = calls.push(name) - 1 === plan.call
    if (isDue && plan.when === 'before') throw new Error(`the store is down at ${name}`)
    const answer = operation(...args)
    if (isDue) throw new Error(`the store lost the connection after ${name}`)
    return answer
  }
  return {
    calls,
    arm(call, when = 'before') {
      calls.length = 0
      plan = { call, when }
    },
    wrap: (adapter) =>
      Object.fromEntries(
        Object.entries(adapter).map(([name, operation]) => [
          name,
          (...args: unknown[]) => perform(name, operation as Operation, args),
        ]),
      ),
  }
}
