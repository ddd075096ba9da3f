import fc from 'fast-check'
import type { Fault } from '../../world/fault-plan.ts'
import { flowNames, flowSetups } from './flows.ts'

/** A call before which something else happens, such as another request. */
export function overtakenBy(other: () => Promise<unknown>): Fault {
  return {
    name: 'is overtaken',
    async apply(work) {
      await other()
      return work()
    },
  }
}

/** A read after which something else happens, so its result is out of date. */
export function outdatedBy(other: () => Promise<unknown>): Fault {
  return {
    name: 'is out of date',
    async apply(work) {
      const result = await work()
      await other()
      return result
    },
  }
}

/** Any flow of an application with a store. */
export const anyFlow = fc.constantFrom(...flowNames)

/** One of these faults. */
export const faultOf = (...faults: readonly Fault[]) => fc.constantFrom(...faults)

/** The features that properties of faults need. */
export const all = { needs: ['faults', 'clock', 'store'], setups: flowSetups } as const

/** The same, and a store that returns nothing wherever that is allowed. */
export const withSilentStore = {
  ...all,
  setups: { ...flowSetups, 'silent store': { ...flowSetups.database, store: 'silent' } },
} as const
