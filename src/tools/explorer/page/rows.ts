import type { Recording } from '../data.ts'
import { lanesOf } from '../write-sequence.ts'
import { button, type Content, html } from './dom.ts'
import { writeFrame } from './frames.ts'
import { type Explorer, showFrame } from './state.ts'

/** Writes rows below the names of their lanes. */
export function writeLanes(recording: Recording, rows: Content): Content {
  const lanes = lanesOf(recording)
  return html(
    'div',
    { class: 'sequence', style: `--count:${lanes.length}` },
    html(
      'div',
      { class: 'lifelines', 'aria-hidden': 'true' },
      lanes.map((name) => html('span', {}, name)),
    ),
    html('ol', { 'aria-label': 'Sequence of messages' }, rows),
  )
}

/**
 * Writes a frame as a button that leads to its moment.
 *
 * @param content the content to write instead
 */
export function writeRow(
  explorer: Explorer,
  recording: Recording,
  index: number,
  content?: Content,
): Content {
  const { at } = explorer.state
  const { frames } = recording
  return html(
    'li',
    {},
    button(
      content ?? [writeFrame(frames, index, lanesOf(recording)), markMissed(recording, index)],
      () => explorer.go({ ...showFrame(explorer, recording, index), isPlaying: false }),
      {
        class: `frame ${frames[index]?.kind}${index > at ? ' later' : ''}`,
        'data-at': index,
        'aria-current': index === at && 'step',
      },
    ),
  )
}

/** Marks the transition that was taken instead of one that stops the story. */
function markMissed({ stops = [] }: Recording, index: number): Content {
  const here = stops.filter(({ at, isEntered }) => isEntered && at === index)
  const events = here.flatMap(({ edges }) => edges.map(({ event }) => event))
  return here.length > 0 && html('span', { class: 'missed-edge' }, nameMissed(events))
}

function nameMissed(events: readonly string[]): string {
  return events.length === 0 ? 'wrong transition' : `should have stopped: ${events.join(' or ')}`
}
