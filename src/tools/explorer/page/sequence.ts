import type { Recording } from '../data.ts'
import { chaptersOf } from '../outline.ts'
import { writeSequence } from '../write-sequence.ts'
import { listChapters } from './chapters.ts'
import { button, type Content, html } from './dom.ts'
import { download } from './exports.ts'
import { writeLanes, writeRow } from './rows.ts'
import type { Explorer } from './state.ts'
import { listStops } from './stops.ts'
import { explainRules, showPlaces } from './summary.ts'

/** Shows a recording as a sequence diagram. Each message is a button that selects its moment in the recording. */
export function showSequence(explorer: Explorer): Content {
  const { recording } = explorer.state
  if (!recording)
    return [
      html('h2', {}, 'Play'),
      html('p', {}, 'Choose a recording from the list, or play a path to an outcome.'),
    ]
  const { title, text, breaks, frames } = recording
  return [
    html('h2', {}, title),
    text !== undefined && html('p', {}, text),
    breaks ? explainRules(explorer, breaks) : introduce(explorer, recording),
    chaptersOf(frames).length > 0
      ? listChapters(explorer, recording)
      : writeLanes(
          recording,
          frames.map((_, at) => writeRow(explorer, recording, at)),
        ),
    showPlaces(explorer, recording),
    html(
      'p',
      { class: 'row' },
      button('Save as Mermaid', () =>
        download(`${recording.id}.sequence.mmd`, 'text/plain', `${writeSequence(recording)}\n`),
      ),
    ),
  ]
}

function introduce(explorer: Explorer, recording: Recording): Content {
  return [
    (recording.requirements ?? []).map((id) =>
      html('p', { class: 'hint' }, html('strong', {}, id), ` ${explorer.setup.requirements[id]?.says ?? ''}`),
    ),
    listStops(explorer, recording),
  ]
}
