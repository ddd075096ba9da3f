import type { Frame, Participant, Recording } from '../data.ts'
import { participantsOf, writeSequence } from '../write-sequence.ts'
import { button, type Content, html } from './dom.ts'
import { download } from './exports.ts'
import { type Explorer, isFailure, runAt, showFrame } from './state.ts'
import { listStops, sayStop } from './stops.ts'

/** Shows a recording as a sequence diagram. Each message is a button that leads to its moment. */
export function showSequence(explorer: Explorer): Content {
  const { recording, at } = explorer.state
  if (!recording)
    return [
      html('h2', {}, 'Play'),
      html('p', {}, 'Choose a recording from the list, or play a path to an outcome.'),
    ]
  const who = participantsOf(recording)
  return [
    html('h2', {}, recording.title),
    recording.text !== undefined && html('p', {}, recording.text),
    (recording.requirements ?? []).map((id) =>
      html('p', { class: 'hint' }, html('strong', {}, id), ` ${explorer.setup.requirements[id]?.says ?? ''}`),
    ),
    listStops(explorer, recording),
    html(
      'div',
      { class: 'sequence', style: `--count:${who.length}` },
      html(
        'div',
        { class: 'lifelines', 'aria-hidden': 'true' },
        who.map((name) => html('span', {}, name)),
      ),
      html(
        'ol',
        { 'aria-label': 'Sequence of messages' },
        recording.frames.map((frame, index) =>
          html(
            'li',
            {},
            button(
              [writeFrame(frame, who), markMissed(recording, index)],
              () => explorer.go({ ...showFrame(explorer, recording, index), isPlaying: false }),
              {
                class: `frame ${frame.kind}${index > at ? ' later' : ''}`,
                'aria-current': index === at && 'step',
              },
            ),
          ),
        ),
      ),
    ),
    html(
      'p',
      {},
      button('Save as Mermaid', () =>
        download(`${recording.id}.sequence.mmd`, 'text/plain', `${writeSequence(recording)}\n`),
      ),
    ),
  ]
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

/** Writes a frame as an arrow from lifeline to lifeline, with its text above. */
function writeFrame(frame: Frame, who: readonly Participant[]): Content {
  const column = (name: Participant) => who.indexOf(name)
  const arrow = (from: Participant, to: Participant, text: string) => {
    const [start, end] = [column(from), column(to)]
    const isBack = end < start
    return html(
      'span',
      {
        class: `message${isBack ? ' back' : ''}`,
        style: `--from:${Math.min(start, end)};--to:${Math.max(start, end)}`,
      },
      html('span', { class: 'quiet' }, `${from} to ${to}: `),
      html('span', { class: 'words' }, text),
    )
  }
  switch (frame.kind) {
    case 'request':
      return arrow(
        'browser',
        'application',
        frame.by === undefined ? frame.text : `${frame.by}: ${frame.text}`,
      )
    case 'reply':
      return arrow('application', 'browser', frame.text)
    case 'call':
      return arrow('application', frame.to, frame.text)
    case 'hop':
      return html(
        'span',
        { class: 'activity', style: `--from:${column('application')}` },
        html('span', { class: 'words' }, frame.state.split('.').at(-1)),
        ' ',
        html('code', {}, frame.event),
      )
    case 'note':
      return html('span', { class: 'remark' }, frame.text)
    case 'check':
      return html('span', { class: `verdict ${frame.holds ? 'holds' : 'fails'}` }, [
        html('strong', {}, frame.id),
        frame.holds ? ' holds' : ' fails',
        frame.text === '' ? '' : `: ${frame.text}`,
      ])
  }
}

/** Describes a frame in a sentence, and where the story should have stopped if that is known by then. */
export function sayFrame(recording: Recording, at: number): string {
  const { frames, stops = [] } = recording
  const known = isFailure(frames[at]) ? runAt(recording, at).stops : stops.filter((stop) => stop.at === at)
  return [describeFrame(frames[at]), ...known.map(sayStop)].filter(Boolean).join('. ')
}

function describeFrame(frame: Frame | undefined): string {
  switch (frame?.kind) {
    case 'request':
      return `${frame.by ?? 'The browser'} sends ${frame.text}`
    case 'reply':
      return `The application responds: ${frame.text}`
    case 'call':
      return `The application calls the ${frame.to}: ${frame.text}`
    case 'hop':
      return `${frame.flow}: ${frame.state} reports ${frame.event}, next is ${frame.next}`
    case 'note':
      return frame.text
    case 'check':
      return `${frame.id} ${frame.holds ? 'holds' : 'fails'}`
    case undefined:
      return ''
  }
}
