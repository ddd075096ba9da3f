import { openSignal, type Signal } from './signal.ts'

type Operation = (...args: never[]) => unknown

/** What becomes of one call. */
export interface Fault {
  readonly name: string
  /** Does it never answer? Then the clock has to be turned. */
  readonly hangs?: boolean
  readonly apply: (work: () => unknown, plan: Hung) => unknown
}

interface Hung {
  readonly signal: Signal
  /** Ends the wait, long after everybody has gone. */
  readonly late: (() => void)[]
}

/** Lets the k-th call of a plane go wrong, as `store`, or `callback.jwt`. */
export interface Plan {
  /** Names of the calls of the plane since it was armed. */
  readonly calls: string[]
  /** The names of all calls there were. */
  readonly passed: ReadonlySet<string>
  /** Counts from now on; without a fault nothing goes wrong. */
  readonly arm: (plane: string, call?: number, fault?: Fault) => void
  readonly around: (name: string, work: () => unknown) => unknown
  /** The same object, with its functions under the plan. */
  readonly watch: <T extends object>(plane: string, operations: T) => T
  readonly hung: () => Promise<void>
  /** Lets what hung fail at last. */
  readonly end: () => void
}

export function createPlan(): Plan {
  const calls: string[] = []
  const passed = new Set<string>()
  let armed: { readonly plane: string; readonly call?: number; readonly fault?: Fault } = { plane: 'none' }
  let hung: Hung = { signal: openSignal(), late: [] }

  const around: Plan['around'] = (name, work) => {
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
    hung: () => hung.signal.reached,
    end() {
      for (const release of hung.late) release()
    },
  }
}

const down = () => new Error('out of order')

export const throwing: Fault = {
  name: 'throws',
  apply() {
    throw down()
  },
}
export const rejecting: Fault = { name: 'rejects', apply: () => Promise.reject(down()) }

/** It was done, and the connection broke before the answer. */
export const losing: Fault = {
  name: 'loses its answer',
  async apply(work) {
    await work()
    throw down()
  },
}

/** It answers never; long after that it fails. */
export const hanging: Fault = {
  name: 'hangs',
  hangs: true,
  apply: (_, { signal, late }) =>
    new Promise((_resolve, reject) => {
      late.push(() => reject(down()))
      signal.reach()
    }),
}

/** It was done, and answers never. */
export const muting: Fault = {
  name: 'is done and hangs',
  hangs: true,
  async apply(work, hung) {
    await work()
    return hanging.apply(work, hung)
  },
}

/** It is done, and answers something else. */
export function answering(name: string, change: (answer: unknown) => unknown): Fault {
  return { name: `answers ${name}`, apply: async (work) => change(await work()) }
}

/** The same data, with every date as something else. */
function withDates(answer: unknown, change: (date: Date) => unknown): unknown {
  if (answer instanceof Date) return change(answer)
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, withDates(value, change)]))
}

function without(answer: unknown, ...keys: readonly string[]): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  const kept = Object.entries(answer).filter(([key]) => !keys.includes(key))
  return Object.fromEntries(
    kept.map(([key, value]) => [key, value instanceof Date ? value : without(value, ...keys)]),
  )
}

/** What a broken adapter answers. */
export const garbage: readonly Fault[] = [
  answering('null', () => null),
  answering('undefined', () => undefined),
  answering('nothing in an object', () => ({})),
  answering('no id', (answer) => without(answer, 'id', 'userId')),
  answering('an empty id', (answer) =>
    typeof answer === 'object' ? { ...answer, id: '', userId: '' } : answer,
  ),
  answering('dates as text', (answer) => withDates(answer, (date) => date.toISOString())),
  answering('dates that are none', (answer) => withDates(answer, () => new Date(Number.NaN))),
  answering('more rows', (answer) => [answer, answer]),
  answering('text', () => 'row'),
]
