import type { RunTrace, Tracer } from '../../types/trace.ts'

/**
 * Returns a tracer that reports to two tracers: the one that the configuration already has, if any, and the added one.
 */
export function joinTracers(known: Tracer | undefined, added: Tracer): Tracer {
  if (known === undefined || known === added) return added
  return {
    begin: (run, received) => joinTraces(known.begin(run, received), added.begin(run, received)),
    reject(fault) {
      known.reject?.(fault)
      added.reject?.(fault)
    },
    find: (id) => known.find(id) ?? added.find(id),
  }
}

function joinTraces(one: RunTrace, other: RunTrace): RunTrace {
  return {
    id: one.id ?? other.id,
    within: (act) => enter(one, () => enter(other, act)),
    hop(hop) {
      one.hop(hop)
      other.hop(hop)
    },
    end(end) {
      one.end(end)
      other.end(end)
    },
  }
}

function enter<Value>({ within }: RunTrace, act: () => Value): Value {
  return within ? within(act) : act()
}
