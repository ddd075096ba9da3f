import { AsyncLocalStorage } from 'node:async_hooks'
import { openSignal, type Signal } from './signal.ts'

type Operation = (...args: never[]) => unknown

/** The fault of one call. */
export interface Fault {
  readonly name: string
  /** Whether the call never returns. The test must then advance the clock. */
  readonly hangs?: boolean
  readonly apply: (work: () => unknown, plan: Hung) => unknown
}

interface Hung {
  readonly signal: Signal
  /** Ends the calls that hang, after the case. */
  readonly late: (() => void)[]
}

/** Makes the k-th call of a plane fail; a plane is `store`, or `callback.jwt`. */
export interface Plan {
  /** The names of the plane's calls since it was armed. */
  readonly calls: string[]
  /** The names of all calls so far. */
  readonly passed: ReadonlySet<string>
  /** Counts the plane's calls from now on; without a fault, none fails. */
  readonly arm: (plane: string, call?: number, fault?: Fault) => void
  readonly around: (name: string, work: () => unknown) => unknown
  /** Wraps the functions of an object, so that the plan applies to them. */
  readonly watch: <T extends object>(plane: string, operations: T) => T
  /** Runs work as if in its own process. After `kill`, its calls have no effect and never return. */
  readonly spawn: <T>(work: () => T) => { readonly result: T; readonly kill: () => void }
  /** Resolves as soon as a call hangs. */
  readonly hung: () => Promise<void>
  /** Rejects the calls that hang. */
  readonly end: () => void
}

export function createPlan(): Plan {
  const calls: string[] = []
  const passed = new Set<string>()
  let armed: { readonly plane: string; readonly call?: number; readonly fault?: Fault } = { plane: 'none' }
  let hung: Hung = { signal: openSignal(), late: [] }

  const processes = new AsyncLocalStorage<{ isDead: boolean }>()

  const around: Plan['around'] = (name, work) => {
    if (processes.getStore()?.isDead) return hanging.apply(work, hung)
    passed.add(name)
    if (name !== armed.plane && !name.startsWith(`${armed.plane}.`)) return work()
    const isDue = calls.push(name) - 1 === armed.call
    return isDue && armed.fault ? armed.fault.apply(work, hung) : work()
  }
  return {
    calls,
    passed,
    around,
    arm(plane, call, fault) {
      calls.length = 0
      armed = { plane, call, fault }
      hung = { signal: openSignal(), late: [] }
    },
    watch: (plane, operations) =>
      Object.fromEntries(
        Object.entries(operations).map(([name, operation]) => [
          name,
          typeof operation === 'function'
            ? (...args: never[]) => around(`${plane}.${name}`, () => (operation as Operation)(...args))
            : operation,
        ]),
      ) as typeof operations,
    spawn(work) {
      const process = { isDead: false }
      return { result: processes.run(process, work), kill: () => void (process.isDead = true) }
    },
    hung: () => hung.signal.reached,
    end() {
      for (const release of hung.late) release()
    },
  }
}

const down = () => new Error('unavailable')

export const throwing: Fault = {
  name: 'throws',
  apply() {
    throw down()
  },
}
/** Throws a value that JavaScript cannot convert to a string. */
export const throwingObject: Fault = {
  name: 'throws an object without a prototype',
  apply() {
    throw Object.create(null)
  },
}

export const rejecting: Fault = { name: 'rejects', apply: () => Promise.reject(down()) }

/** The call takes effect, but the connection breaks before it returns. */
export const losing: Fault = {
  name: 'takes effect and throws',
  async apply(work) {
    await work()
    throw down()
  },
}

/** The call never returns; it rejects after the case. */
export const hanging: Fault = {
  name: 'hangs',
  hangs: true,
  apply: (_, { signal, late }) =>
    new Promise((_resolve, reject) => {
      late.push(() => reject(down()))
      signal.reach()
    }),
}

/** The call takes effect, but never returns. */
export const muting: Fault = {
  name: 'takes effect and hangs',
  hangs: true,
  async apply(work, hung) {
    await work()
    return hanging.apply(work, hung)
  },
}

/** The call takes effect, but returns something else. */
export function returning(name: string, change: (result: unknown) => unknown): Fault {
  return { name: `returns ${name}`, apply: async (work) => change(await work()) }
}

/** Replaces every date in a result. */
function withDates(result: unknown, change: (date: Date) => unknown): unknown {
  if (result instanceof Date) return change(result)
  if (typeof result !== 'object' || result === null) return result
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, withDates(value, change)]))
}

function without(result: unknown, ...keys: readonly string[]): unknown {
  if (typeof result !== 'object' || result === null) return result
  const kept = Object.entries(result).filter(([key]) => !keys.includes(key))
  return Object.fromEntries(
    kept.map(([key, value]) => [key, value instanceof Date ? value : without(value, ...keys)]),
  )
}

/** The results of a broken adapter. */
export const garbage: readonly Fault[] = [
  returning('null', () => null),
  returning('undefined', () => undefined),
  returning('an empty object', () => ({})),
  returning('a record without an id', (result) => without(result, 'id', 'userId')),
  returning('an empty id', (result) =>
    typeof result === 'object' ? { ...result, id: '', userId: '' } : result,
  ),
  returning('dates as text', (result) => withDates(result, (date) => date.toISOString())),
  returning('invalid dates', (result) => withDates(result, () => new Date(Number.NaN))),
  returning('two rows', (result) => [result, result]),
  returning('text', () => 'row'),
]
