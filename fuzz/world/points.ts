import type { Race } from './race.ts'
import type { Plan } from './fault-plan.ts'

/** The application's external calls: to its store, the network, callbacks, events and the mailer. */
export interface Points {
  /** Wraps operations, so that the fault plan and the current race, if any, apply to them. */
  readonly watch: <T extends object>(plane: string, operations: T) => T
  /** From now on, calls wait for the scheduler of this race. */
  readonly enter: (race: Race) => void
}

/** @param note receives the plane and the name of each call */
export function openPoints(plan: Plan, note?: (plane: string, name: string) => void): Points {
  let race: Race | undefined
  return {
    enter: (next) => void (race = next),
    watch: (plane, operations) =>
      Object.fromEntries(
        Object.entries(operations).map(([name, operation]) => {
          if (typeof operation !== 'function') return [name, operation]
          const label = `${plane}.${name}`
          const work = (args: never[]) => () => (operation as (...args: never[]) => unknown)(...args)
          const call = (...args: never[]) => {
            note?.(plane, name)
            const begin = () => plan.around(label, work(args))
            return race ? race.around(label, begin) : begin()
          }
          return [name, call]
        }),
      ) as typeof operations,
  }
}
