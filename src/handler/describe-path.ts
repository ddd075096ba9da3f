import type { Hop, Observe } from '../flows/run.ts'

/** Notes each hop, and passes it on. */
export function watchHops(hops: Hop[], ...observers: readonly (Observe | undefined)[]): Observe {
  return (hop) => {
    hops.push(hop)
    for (const observe of observers) observe?.(hop)
  }
}

/** States and events only, so that nothing of a request's values gets into a log (decision 35). */
export function describePath(hops: readonly Hop[], ended: string) {
  const last = hops.at(-1)
  return {
    path: hops.map(({ state, event }) => `${state} -(${event})->`).join(' ') + ` ${ended}`,
    ended,
    ...(last?.fault && { failingState: last.state, fault: last.fault.message }),
  }
}
