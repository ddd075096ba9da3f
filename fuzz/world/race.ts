import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scheduler } from 'fast-check'

type Operation = (...args: never[]) => unknown

/** Concurrent requests, whose order fast-check chooses and shrinks. */
export interface Race {
  /** Runs work between two points: the scheduler decides when it starts, and when its result arrives. */
  readonly around: <T>(label: string, work: () => T) => Promise<Awaited<T>>
  /** Wraps an object, with a point before and after each call of its functions. */
  readonly scheduled: <T extends object>(name: string, operations: T) => T
  /**
   * Runs flows concurrently. As soon as each flow waits at a point or has ended, the scheduler decides which continues.
   * Outside of `run`, points do not wait.
   */
  readonly run: <T>(flows: readonly (() => Promise<T>)[]) => Promise<T[]>
  /** Returns how often the scheduler had a choice. */
  readonly choices: () => number
}

/** Milliseconds without progress, after which a flow is assumed to wait for another flow, such as for a shared request. */
const patience = 10
/** Milliseconds without progress, after which a race is considered stuck. */
const limit = 8000

export function openRace(scheduler: Scheduler): Race {
  const flowOf = new AsyncLocalStorage<number>()
  /** The number of points at which each flow waits. */
  const waiting = new Map<number, number>()
  const state = { running: 0, choices: 0, progressed: 0 }

  const point = async (label: string) => {
    const flow = flowOf.getStore()
    if (flow === undefined) return
    waiting.set(flow, (waiting.get(flow) ?? 0) + 1)
    state.progressed = performance.now()
    await scheduler.schedule(Promise.resolve(), `${flow} ${label}`)
    const left = (waiting.get(flow) ?? 1) - 1
    if (left > 0) waiting.set(flow, left)
    else waiting.delete(flow)
    state.progressed = performance.now()
  }
  /** Waits until each flow waits at a point, or for another flow. */
  const settle = async () => {
    while (
      state.running > waiting.size &&
      (scheduler.count() === 0 || performance.now() - state.progressed < patience)
    ) {
      if (state.running > 0 && performance.now() - state.progressed > limit)
        throw new Error('The race is stuck')
      await nextTurn()
    }
  }
  const around = async <T>(label: string, work: () => T): Promise<Awaited<T>> => {
    await point(`before ${label}`)
    try {
      return await work()
    } finally {
      await point(`after ${label}`)
    }
  }
  const scheduled: Race['scheduled'] = (name, operations) => {
    const wrap = ([key, operation]: [string, unknown]) => {
      if (typeof operation !== 'function') return [key, operation]
      const call = (...args: never[]) => around(`${name}.${key}`, () => (operation as Operation)(...args))
      return [key, call]
    }
    return Object.fromEntries(Object.entries(operations).map(wrap)) as typeof operations
  }
  return {
    around,
    scheduled,
    choices: () => state.choices,
    async run(flows) {
      state.running = flows.length
      state.progressed = performance.now()
      const end = () => {
        state.running -= 1
        state.progressed = performance.now()
      }
      const all = Promise.allSettled(flows.map((flow, n) => flowOf.run(n, flow).finally(end)))
      while (state.running > 0) {
        await settle()
        if (scheduler.count() > 1) state.choices += 1
        if (scheduler.count() > 0) await scheduler.waitOne()
        // Lets the released flow run before the next check.
        await nextTurn()
      }
      return (await all).map((settled) => {
        if (settled.status === 'rejected') throw settled.reason
        return settled.value
      })
    },
  }
}
