import type { Frame, Recording } from '../data.ts'
import { type Chapter, chaptersOf, contains, type Part, type Span } from '../outline.ts'
import { lanesOf } from '../write-sequence.ts'
import { button, type Content, html } from './dom.ts'
import { writeFrame } from './frames.ts'
import { writeLanes, writeRow } from './rows.ts'
import { type Explorer, showFrame } from './state.ts'

/** Lists the chapters. The one that plays is open, and so is its request. */
export function listChapters(explorer: Explorer, recording: Recording): Content {
  const chapters = chaptersOf(recording.frames)
  const { end = 0 } = chapters.at(-1) ?? {}
  return [
    html('h3', {}, 'What happened'),
    html(
      'ol',
      { class: 'chapters', 'aria-label': 'Chapters' },
      chapters.map((chapter) => writeChapter(explorer, recording, chapter)),
      recording.frames
        .slice(end)
        .map((frame, index) => writeRow(explorer, recording, end + index, tell(frame))),
    ),
  ]
}

/** The last sentence of a counterexample. */
function tell(frame: Frame): Content {
  if (frame.kind !== 'check' || frame.holds) return undefined
  return html(
    'span',
    { class: 'verdict fails' },
    html('strong', {}, 'This must not happen: '),
    `${frame.text}.`,
    frame.instead !== undefined && [' ', html('strong', {}, 'Expected: '), `${frame.instead}.`],
  )
}

function writeChapter(explorer: Explorer, recording: Recording, chapter: Chapter): Content {
  const { title, parts } = chapter
  return html(
    'li',
    {},
    html('h4', {}, writeFold(explorer, recording, chapter, title)),
    sumUp(recording, chapter),
    isOpen(explorer, chapter) &&
      writeLanes(
        recording,
        parts.map((part) => writePart(explorer, recording, part)),
      ),
  )
}

/** Shows the events and changes at the end of a chapter. */
function sumUp({ frames }: Recording, { at }: Chapter): Content {
  const frame = frames[at]
  if (frame?.kind !== 'chapter' || !frame.after?.length) return undefined
  return html('p', { class: 'quiet-note' }, `${frame.after.join('. ')}.`)
}

/** A folded request shows its method and route, the response, and the chart. */
function writePart(explorer: Explorer, recording: Recording, part: Part): Content {
  const { at, end, outcome, flow } = part
  const { frames } = recording
  if (frames[at]?.kind !== 'request') return writeRow(explorer, recording, at)
  const more = [
    outcome !== undefined && ` · ${outcome}`,
    flow !== undefined && [' ', html('code', { class: 'chart' }, flow)],
  ]
  return [
    html('li', {}, writeFold(explorer, recording, part, writeFrame(frames, at, lanesOf(recording), more))),
    isOpen(explorer, part) &&
      frames.slice(at + 1, end).map((_, index) => writeRow(explorer, recording, at + 1 + index)),
  ]
}

/** A button that goes to the beginning of a chapter or request and opens it, or folds it if it is open. */
function writeFold(explorer: Explorer, recording: Recording, span: Span, text: Content): Content {
  const open = isOpen(explorer, span)
  const change = () => (open ? { folded: span.at } : showFrame(explorer, recording, span.at))
  return button(text, () => explorer.go({ ...change(), isPlaying: false }), {
    class: 'frame fold',
    'data-at': span.at,
    'aria-expanded': String(open),
    'aria-current': span.at === explorer.state.at && 'step',
  })
}

function isOpen({ state: { at, folded } }: Explorer, span: Span): boolean {
  return contains(span, at) && folded !== span.at
}
