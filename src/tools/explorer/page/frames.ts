import type { Frame, Recording } from '../data.ts'
import { nameChapter } from '../outline.ts'
import { isFailure, runAt } from '../run-at.ts'
import { endsOf } from '../write-sequence.ts'
import { type Content, html } from './dom.ts'
import { sayStop } from './stops.ts'

/**
 * Writes a frame. Messages are arrows from lane to lane, below their text.
 *
 * @param more the content after the text of a message
 */
export function writeFrame(
  frames: readonly Frame[],
  at: number,
  lanes: readonly string[],
  more?: Content,
): Content {
  const frame = frames[at]
  const own = `--from:${lanes.indexOf('application')}`
  switch (frame?.kind) {
    case 'request':
    case 'call':
    case 'reply':
      return writeMessage(lanes, endsOf(frames, at), [frame.text, more])
    case 'hop':
      return html(
        'span',
        { class: 'activity', style: own },
        html('span', { class: 'words' }, frame.state.split('.').at(-1)),
        ' ',
        html('code', {}, frame.event),
      )
    case 'note':
    case 'chapter':
      return html('span', { class: 'remark' }, frame.text)
    case 'check':
      return html('span', { class: `verdict ${frame.holds ? 'holds' : 'fails'}` }, [
        html('strong', {}, frame.id),
        frame.holds ? ' holds' : ' fails',
        frame.text === '' ? '' : `: ${frame.text}`,
      ])
    case undefined:
      return undefined
  }
}

function writeMessage(
  lanes: readonly string[],
  [from, to]: readonly [string, string],
  text: Content,
): Content {
  const [start, end] = [lanes.indexOf(from), lanes.indexOf(to)]
  // The application calls itself.
  if (start === end) return html('span', { class: 'activity', style: `--from:${start}` }, text)
  const isRight = (start + end + 1) / 2 > lanes.length / 2
  return html(
    'span',
    {
      class: `message${end < start ? ' back' : ''}${isRight ? ' right' : ''}`,
      style: `--from:${Math.min(start, end)};--to:${Math.max(start, end)}`,
    },
    html('span', { class: 'quiet' }, `${from} to ${to}: `),
    html('span', { class: 'above' }, html('span', { class: 'words' }, text)),
    html('span', { class: 'line' }),
  )
}

/** Describes a frame in a sentence, with the place where the story should have stopped, if it is already known. */
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
    case 'chapter':
      return nameChapter(frame)
    case 'check':
      return `${frame.id} ${frame.holds ? 'holds' : 'fails'}`
    case undefined:
      return ''
  }
}
