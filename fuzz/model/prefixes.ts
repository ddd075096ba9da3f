import { beginJourney, continueJourney, type JourneyPlace } from 'authmachine/machines'
import { durations, type Actor, type Command } from './commands.ts'

/** A command, and the events that the journey of its browser takes. Other edges need another actor. */
interface Walk {
  readonly takes: string
  /** Taken as well, where the journey accepts it. */
  readonly mayTake?: readonly string[]
  readonly does: (by: Actor) => Command
}

const walks: readonly Walk[] = [
  { takes: 'sign-in.sent-to-provider', does: (by) => ({ does: 'start', by, at: 'alpha' }) },
  { takes: 'callback.signed-in', does: (by) => ({ does: 'arrive', by }) },
  { takes: 'email-request.link-mailed', does: (by) => ({ does: 'ask-link', by }) },
  { takes: 'email-verification.signed-in', does: (by) => ({ does: 'follow-link', by }) },
  { takes: 'sign-out.signed-out', does: (by) => ({ does: 'sign-out', by }) },
  { takes: 'time.passed-check-age', does: () => ({ does: 'pass', seconds: durations.checkAge }) },
  {
    takes: 'time.passed-max-age',
    mayTake: ['time.passed-check-age', 'time.passed-link-age'],
    does: () => ({ does: 'pass', seconds: durations.maxAge }),
  },
]

/** Returns the shortest commands into each place of a browser's journey, by the names of its states. */
export function shortestWays(by: Actor): ReadonlyMap<string, readonly Command[]> {
  const begin = beginJourney()
  const ways = new Map<string, readonly Command[]>([[nameOf(begin), []]])
  const found: JourneyPlace[] = [begin]
  for (const place of found)
    for (const walk of walks) {
      const next = follow(place, walk)
      if (!next || ways.has(nameOf(next))) continue
      ways.set(nameOf(next), [...(ways.get(nameOf(place)) ?? []), walk.does(by)])
      found.push(next)
    }
  return ways
}

function follow(place: JourneyPlace, { takes, mayTake = [] }: Walk): JourneyPlace | undefined {
  let next = continueJourney(place, takes)
  for (const event of mayTake) next = next && (continueJourney(next, event) ?? next)
  return next
}

/** Names the states that a walk can change. */
function nameOf({ session, provider, link }: JourneyPlace): string {
  return `${session}, ${provider}, ${link}`
}
