import type { Adapter } from '../../src/types/adapter.ts'

type Operation = (...args: unknown[]) => unknown

/** Says what a faulty adapter does with one call. */
export interface AdapterFaults {
  /** For the `wrap` of `openApp`. */
  readonly wrap: (adapter: Adapter) => Adapter
  /** Names of the operations that were called since it was armed, in order. */
  readonly calls: string[]
  /**
   * The `call`-th call from now on, counted from 0, throws once: before it does anything, or after it was done, as when
   * the connection breaks before the answer. Without a number none does.
   */
  readonly arm: (call?: number, when?: 'before' | 'after') => void
}

/** An adapter that fails when it is told to; nothing else about it changes. */
export function planFaults(): AdapterFaults {
  const calls: string[] = []
  let plan: { readonly call?: number; readonly when: 'before' | 'after' } = { when: 'before' }
  const perform = (name: string, operation: Operation, args: unknown[]) => {
    const isDue = calls.push(name) - 1 === plan.call
    if (isDue && plan.when === 'before') throw new Error(`the store is down at ${name}`)
    const answer = operation(...args)
    if (isDue) throw new Error(`the store was lost after ${name}`)
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
