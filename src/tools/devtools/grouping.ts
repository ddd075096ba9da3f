import type { TracedCookies } from '../../types/trace.ts'
import { factsOf } from './graphs.ts'

/** The number of cookies that are remembered. */
const remembered = 4096

interface PlacedRun {
  readonly id: string
  readonly flow: string
  readonly method: string
}

/** Finds the group of each run: the requests of one sign-in and of its session, until the sign-out. */
export interface Grouping {
  /** Returns the group of a new run. A run that belongs to no earlier run starts a group with the id of the run. */
  readonly place: (run: PlacedRun, received: TracedCookies) => string
  /** Binds later requests with the cookies that the response to a run sets to the group of the run. */
  readonly bind: (run: { readonly flow: string; readonly group: string }, sent: TracedCookies) => void
}

/**
 * Creates a grouping. It stores no cookies, only fingerprints of them, and only in memory.
 *
 * @param seed a random number, which differs between processes
 */
export function createGrouping(seed: number): Grouping {
  const groups = new Map<number, string>()

  function remember(value: string, group: string): void {
    const print = fingerprint(value, seed)
    // A map iterates in the order of insertion, so this makes it the newest.
    groups.delete(print)
    groups.set(print, group)
    const [oldest] = groups.keys()
    if (groups.size > remembered && oldest !== undefined) groups.delete(oldest)
  }

  return {
    place({ id, flow, method }, received) {
      const { starts, boundBy = ['sessionToken'] } = factsOf(flow)
      // Each start of a sign-in starts a group.
      const isStart = starts === method
      const purposes = isStart ? ['csrfToken'] : [...boundBy, 'csrfToken']
      const values = purposes.flatMap((purpose) => received.get(purpose) ?? [])
      const known = isStart
        ? undefined
        : values.map((value) => groups.get(fingerprint(value, seed))).find((group) => group !== undefined)
      if (known !== undefined) return known
      for (const value of values) remember(value, id)
      return id
    },
    bind({ flow, group }, sent) {
      // Requests of the browser after a sign-out belong to no sign-in.
      if (flow !== 'sign-out') for (const value of sent.values()) remember(value, group)
    },
  }
}

/** Returns the FNV-1a hash. Its 32 bits distinguish browsers, but are too few to recover a cookie. */
function fingerprint(value: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < value.length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
