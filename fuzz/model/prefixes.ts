import { createMachine } from 'xstate'
import { getShortestPaths } from 'xstate/graph'
import { journeyChart } from 'authmachine/machines'
import { durations, type Actor, type Command } from './commands.ts'

/** What somebody does, so that the journey of their browser goes this way; an edge without one is somebody else's. */
const walks: Readonly<Record<string, (by: Actor) => readonly Command[]>> = {
  'sign-in.sent-to-provider': (by) => [{ does: 'start', by, at: 'alpha' }],
  'callback.signed-in': (by) => [{ does: 'arrive', by }],
  'sign-out.signed-out': (by) => [{ does: 'sign-out', by }],
  'time.passed-check-age': () => [{ does: 'pass', seconds: durations.checkAge }],
  'time.passed-update-age': () => [{ does: 'pass', seconds: durations.updateAge }],
  'time.passed-max-age': () => [{ does: 'pass', seconds: durations.maxAge }],
}

/** The shortest way into each state of a browser's journey, by the name of the state. */
export function shortestWays(by: Actor): ReadonlyMap<string, readonly Command[]> {
  const paths = getShortestPaths(createMachine(journeyChart), {
    events: Object.keys(walks).map((type) => ({ type })),
  })
  return new Map(
    paths.map(({ state, steps }) => [
      nameOf(state.value),
      steps.flatMap(({ event }) => walks[event.type]?.(by) ?? []),
    ]),
  )
}

/** The journey nests no states. */
function nameOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('a state of the journey nests others')
  return value
}
