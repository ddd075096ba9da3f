import type { Recording, Stop } from '../data.ts'
import { isFailure } from '../run-at.ts'
import { button, type Content, html } from './dom.ts'
import { type Explorer, showFrame } from './state.ts'

/** Describes in a sentence where a story should have stopped. */
export function sayStop({ flow, state, edges, isEntered }: Stop): string {
  const place = `${state} of ${flow}`
  if (edges.length === 0) return `It should have left ${place} by another transition.`
  const targets = [...new Set(edges.map(({ next }) => next))]
  const ways = targets.map((target) => {
    const events = edges.filter(({ next }) => next === target).map(({ event }) => event)
    return `${events.join(' or ')} leads to ${target}`
  })
  return `It should have stopped at ${place}${isEntered ? '' : ', which it never entered'}: ${ways.join('; ')}.`
}

/** Lists where a failing story should have stopped. Each entry is a button that leads to its moment. */
export function listStops(explorer: Explorer, recording: Recording): Content {
  const { stops = [], frames } = recording
  if (!isFailure(frames.at(-1))) return undefined
  return [
    html('h3', {}, 'Where it should have stopped'),
    stops.length === 0
      ? html(
          'p',
          { class: 'hint' },
          'No transition that this story could have taken belongs to the requirement.',
        )
      : html(
          'ul',
          { class: 'stops' },
          stops.map((stop) =>
            html(
              'li',
              {},
              button(sayStop(stop), () =>
                explorer.go({ ...showFrame(explorer, recording, stop.at), isPlaying: false }),
              ),
            ),
          ),
        ),
    html('h3', {}, 'What happened'),
  ]
}
