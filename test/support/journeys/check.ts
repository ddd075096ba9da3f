import type { ParallelChart } from '../../../machines/chart.ts'
import { beginJourney, continueJourney, type JourneyPlace } from '../../../machines/journey-run.ts'
import { journeyChart } from '../../../machines/journey.ts'
import type { CookieKind } from './cookie-kinds.ts'

/** A request of a browser, with the events that it caused. */
export interface RecordedStep {
  /** Method and path, such as `GET /auth/session`. */
  readonly request: string
  readonly events: readonly string[]
  /** When the request arrived, and when the response was sent, in the order of the recording. */
  readonly from: number
  readonly to: number
}

/** What one browser did, from when its cookies were last changed by hand. */
export interface RecordedRun {
  /** Names the test, and the browser in it. */
  readonly browser: string
  /** Kinds of cookies that it held before. A test may have planted them, so they may be valid or not. */
  readonly held: readonly CookieKind[]
  readonly steps: readonly RecordedStep[]
}

/** Where a browser may be that holds a cookie of a kind. */
const holding: Readonly<Record<CookieKind, readonly JourneyPlace[]>> = {
  session: [{ session: 'signedIn' }, { session: 'expired' }],
  check: [{ provider: 'atProvider' }],
  link: [{ link: 'requested' }],
  code: [{ code: 'enteringCode' }],
  challenge: [{ passkey: 'challenged' }],
  held: [{ gate: 'held' }],
}

/**
 * Takes a run through the journey. Requests that ran at the same time may have taken effect in any order.
 *
 * @returns which event is not accepted, or undefined if the run is a trace of the journey
 */
export function findRefusal(run: RecordedRun, chart: ParallelChart = journeyChart): string | undefined {
  let furthest = { done: -1, refusal: '' }

  function go(places: readonly JourneyPlace[], left: readonly RecordedStep[]): boolean {
    if (left.length === 0) return true
    const limit = Math.min(...left.map(({ to }) => to))
    for (const step of left.filter(({ from }) => from <= limit)) {
      const next = advance(places, step)
      const rest = left.filter((each) => each !== step)
      if (next && go(next, rest)) return true
    }
    return false
  }

  function advance(places: readonly JourneyPlace[], step: RecordedStep): readonly JourneyPlace[] | undefined {
    let current = places
    for (const event of step.events) {
      const next = current.flatMap((place) => {
        const following = continueJourney(place, event, chart)
        return following ? [following] : []
      })
      if (next.length === 0) {
        const done = run.steps.indexOf(step)
        if (done > furthest.done) furthest = { done, refusal: describe(run, done, event, current) }
        return undefined
      }
      current = next
    }
    return current
  }

  return go(listStarts(run.held, chart), run.steps) ? undefined : furthest.refusal
}

function listStarts(held: readonly CookieKind[], chart: ParallelChart): readonly JourneyPlace[] {
  let starts: readonly JourneyPlace[] = [beginJourney(chart)]
  for (const kind of held)
    starts = starts.flatMap((start) => holding[kind].map((place) => ({ ...start, ...place })))
  return starts
}

function describe(run: RecordedRun, index: number, event: string, places: readonly JourneyPlace[]): string {
  const before = run.steps.slice(0, index).flatMap(({ events }) => events)
  const states = places.map((place) =>
    Object.entries(place)
      .map(([region, state]) => `${region} ${state}`)
      .join(', '),
  )
  return (
    `${run.browser}, request ${index + 1}, ${run.steps[index]?.request}: ` +
    `the journey does not accept ${event} in ${states.join(' or ')}; before: ${before.join(' ') || 'nothing'}`
  )
}
