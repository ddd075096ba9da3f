import type { ParallelChart } from './chart.ts'
import type { NamedHop } from './hop.ts'
import { journeyChart } from './journey.ts'
import { outcomeOf } from './outcomes.ts'

/** The place of a browser on its journey: the state of each region, such as `{ session: 'anonymous', … }`. */
export type JourneyPlace = Readonly<Record<string, string>>

/** Returns the place at which the journey of a browser without cookies begins. */
export function beginJourney(chart: ParallelChart = journeyChart): JourneyPlace {
  return Object.fromEntries(Object.entries(chart.states).map(([region, { initial }]) => [region, initial]))
}

/**
 * Returns the place to which an event leads. Every region that knows the event has to accept it: `callback.signed-in`
 * signs in only a browser that was redirected to the provider.
 *
 * @returns the next place, or undefined if a region does not accept the event in its state, or no region knows it
 */
export function continueJourney(
  place: JourneyPlace,
  event: string,
  chart: ParallelChart = journeyChart,
): JourneyPlace | undefined {
  const next = { ...place }
  let isKnown = false
  for (const [name, region] of Object.entries(chart.states)) {
    if (!knows(region, event)) continue
    const state = region.states[place[name] ?? '']
    const target = (state && 'on' in state ? state.on?.[event] : undefined) ?? region.on?.[event]
    if (target === undefined) return undefined
    next[name] = target.replace(/^\./, '')
    isKnown = true
  }
  return isKnown ? next : undefined
}

/** Whether a region has edges for an event, in any of its states. */
export function knows({ on = {}, states }: ParallelChart['states'][string], event: string): boolean {
  return event in on || Object.values(states).some((state) => 'on' in state && event in (state.on ?? {}))
}

/**
 * Returns the events of the journey in the recorded run of one request: its final state, such as `callback.signed-in`.
 * With `confirm: 'never'`, `confirmation.waived` comes first, because any browser may then open a link. If a gate lets a
 * held sign-in pass, `sign-in.continued` follows if it ends with a session.
 */
export function journeyEventsOf(hops: readonly NamedHop[]): string[] {
  const own = hops.filter(({ flow }) => flow === hops[0]?.flow)
  const [end, last] = [own.at(-1), hops.at(-1)]
  const ended = end ? outcomeOf(end.flow, end.next) : []
  const waived = hops.flatMap(({ event }) => (event === 'confirmation.waived' ? [event] : []))
  const continued = own.length < hops.length && last?.next === 'signedIn' ? ['sign-in.continued'] : []
  return ended.length > 0 ? [...waived, ...ended, ...continued] : []
}
