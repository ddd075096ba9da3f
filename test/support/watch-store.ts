import type { Adapter } from '../../src/types/adapter.ts'

/** One call of an adapter's operation. */
export interface Call {
  readonly operation: string
  readonly args: readonly unknown[]
}

/** Wraps a store: records its calls, and puts operations in place of some. */
export function watching(calls: Call[], instead: (store: Adapter) => Partial<Adapter> = () => ({})) {
  return (store: Adapter): Adapter => {
    const all: Record<string, (...args: never[]) => unknown> = { ...store, ...instead(store) }
    return Object.fromEntries(
      Object.entries(all).flatMap(([operation, run]) => {
        if (run === undefined) return []
        const watched = (...args: never[]) => {
          calls.push({ operation, args })
          return run(...args)
        }
        return [[operation, watched]]
      }),
    )
  }
}

/** How often an operation was called. */
export function countOf(calls: readonly Call[], operation: keyof Adapter): number {
  return calls.filter((call) => call.operation === operation).length
}

/** An operation that fails as a store does that cannot be reached. */
export function unreachable(): never {
  throw new Error('the store cannot be reached')
}
