import { asError } from '../errors/as-error.ts'
import type { Adapter } from '../types/adapter.ts'

type Operation = (...args: unknown[]) => unknown

/**
 * Wraps an adapter so that its operations reject instead of throwing. Callers can then handle all failures in one
 * place.
 */
export function rejectFailures(adapter: Required<Adapter>): Required<Adapter> {
  const rejecting = Object.entries(adapter).map(([name, operation]: [string, unknown]) => [
    name,
    (...args: unknown[]): unknown => {
      try {
        return (operation as Operation)(...args)
      } catch (error) {
        return Promise.reject(asError(error))
      }
    },
  ])
  return Object.fromEntries(rejecting) as Required<Adapter>
}
