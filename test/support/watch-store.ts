import type { Adapter } from '../../src/types/adapter.ts'

/** One call of an adapter's method. */
export interface Call {
  readonly operation: string
  readonly args: readonly unknown[]
}

/** Wraps a store: records its calls, and replaces some methods. */
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

/** The number of calls of a method. */
export function countOf(calls: readonly Call[], operation: keyof Adapter): number {
  return calls.filter((call) => call.operation === operation).length
}

/** A method that fails as if the store were unreachable. */
export function unreachable(): never {
  throw new Error('the store cannot be reached')
}

/** Wraps a store so that a method fails as often as `failures` says, before or after it did its work. */
export function failing(
  operation: keyof Adapter,
  failures: { left: number },
  when: 'before' | 'after' = 'before',
) {
  return (store: Adapter): Adapter => ({
    ...store,
    async [operation](...args: never[]) {
      const run = store[operation] as (...args: never[]) => unknown
      if (failures.left <= 0) return run(...args)
      failures.left--
      if (when === 'after') await run(...args)
      return unreachable()
    },
  })
}
