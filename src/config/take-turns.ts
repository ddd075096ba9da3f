import { stepDeadline } from '../clock.ts'
import type { MaybePromise } from '../crypto/maybe-promise.ts'
import type { Platform } from '../types/config.ts'

/** Work on one key that is under way. */
interface Turn {
  /** Resolves when the work has settled, whatever came of it. */
  readonly over: Promise<void>
  /** The deadline of the step that asked for it, after which no other work waits for it. */
  readonly until: number
}

/** Work under way by key, oldest first. A clock has turns of its own, because `until` means nothing on another clock. */
const turnsByClock = new WeakMap<Platform['timer'], Map<string, Turn>>()

/**
 * Runs work on a key after all earlier work on that key, within this process. Work waits for at most the deadline of a
 * step, which counts from the moment it queued up: by then the work before it has failed, even if it never settles. Each
 * waiter keeps its own timer, because some runtimes stop the timers and promises of a request that is cancelled.
 *
 * Work must not ask for another turn. Since no work ever holds two keys, no two can wait for each other.
 *
 * @throws an Error when its turn comes after the deadline; the work is then left undone
 */
export function takeTurn<T>(
  key: string,
  work: () => MaybePromise<T>,
  { now, timer }: Pick<Platform, 'now' | 'timer'>,
): MaybePromise<T> {
  const turns = turnsByClock.get(timer) ?? new Map<string, Turn>()
  turnsByClock.set(timer, turns)
  const queuedAt = now()
  forgetStale(turns, queuedAt)
  const before = turns.get(key)
  const until = queuedAt + stepDeadline
  const done = before ? waitFor(before, queuedAt, timer).then(() => workInTime(work, now() < until)) : work()
  if (!(done instanceof Promise)) return done
  const turn: Turn = { until, over: done.then(forget, forget) }
  // Deleted first, so that the map stays in the order of the deadlines.
  turns.delete(key)
  turns.set(key, turn)
  return done

  function forget(): void {
    if (turns.get(key) === turn) turns.delete(key)
  }
}

/** Work that never settles would stay in the map for ever. */
function forgetStale(turns: Map<string, Turn>, now: number): void {
  for (const [key, { until }] of turns) {
    if (until > now) return
    turns.delete(key)
  }
}

function waitFor({ over, until }: Turn, now: number, timer: Platform['timer']): Promise<void> {
  return new Promise((resolve) => {
    // A clock that was set back must not make anybody wait longer.
    const waiting = timer(Math.min(until - now, stepDeadline), resolve)
    void over.then(() => {
      waiting.cancel()
      resolve()
    })
  })
}

function workInTime<T>(work: () => MaybePromise<T>, isInTime: boolean): MaybePromise<T> {
  if (isInTime) return work()
  throw new Error(
    `waiting for other store work on the same key took longer than ${stepDeadline} milliseconds`,
  )
}
