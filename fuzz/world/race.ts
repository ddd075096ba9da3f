import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scheduler } from 'fast-check'

type Operation = (...args: never[]) => unknown

/** Several requests at once, whose order fast-check chooses, and shrinks. */
export interface Race {
  /** Does something between two points: the scheduler says when it is done, and when its answer arrives. */
  readonly around: <T>(label: string, work: () => T) => Promise<Awaited<T>>
  /** The same object, with points before and after each call of each of its functions. */
  readonly scheduled: <T extends object>(name: string, operations: T) => T
  /**
   * Runs flows at once. Nothing is released before each of them waits at a point, or has ended; which goes on then, the
   * scheduler says. Outside of it, points let everything pass.
   */
  readonly run: <T>(flows: readonly (() => Promise<T>)[]) => Promise<T[]>
  /** How often something was released while others waited. */
  readonly choices: () => number
}

/** Milliseconds without any news, after which a flow is taken to wait for another one, as for a shared request. */
const patience = 10
/** Milliseconds after which a race is taken to be stuck. */
const limit = 8000

export function openRace(scheduler: Scheduler): Race {
  const flowOf = new AsyncLocalStorage<number>()
  /** How many points each flow waits at. */
  const waiting = new Map<number, number>()
  const state = { running: 0, choices: 0, news: 0 }

  const point = async (label: string) => {
    const flow = flowOf.getStore()
    if (flow === undefined) return
    waiting.set(flow, (waiting.get(flow) ?? 0) + 1)
    state.news = performance.now()
    await scheduler.schedule(Promise.resolve(), `${flow} ${label}`)
    const left = (waiting.get(flow) ?? 1) - 1
    if (left > 0) waiting.set(flow, left)
    else waiting.delete(flow)
    state.news = performance.now()
  }
  /** Waits until each flow waits at a point, or for another flow. */
  const settle = async () => {
    while (
      state.running > waiting.size &&
      (scheduler.count() === 0 || performance.now() - state.news < patience)
    ) {
      if (state.running > 0 && performance.now() - state.news > limit)
        throw new Error('the race does not go on')
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
      state.news = performance.now()
      const end = () => {
        state.running -= 1
        state.news = performance.now()
      }
      const all = Promise.allSettled(flows.map((flow, n) => flowOf.run(n, flow).finally(end)))
      while (state.running > 0) {
        await settle()
        if (scheduler.count() > 1) state.choices += 1
        if (scheduler.count() > 0) await scheduler.waitOne()
        // What was released goes on before anybody asks who waits.
        await nextTurn()
      }
      return (await all).map((settled) => {
        if (settled.status === 'rejected') throw settled.reason
        return settled.value
      })
    },
  }
}
