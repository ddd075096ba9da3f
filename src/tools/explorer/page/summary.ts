import type { BrokenRule, Frame, Recording } from '../data.ts'
import { chaptersOf, contains } from '../outline.ts'
import { button, type Content, html } from './dom.ts'
import { type Explorer, graphOf, showFrame } from './state.ts'

/** Tells which rule a recording breaks, and why that matters. */
export function explainRule({ data }: Explorer, { id, says, why }: BrokenRule): Content {
  const [attack] = data.attacks[id ?? ''] ?? []
  return [
    html('h3', {}, 'The rule that broke'),
    html('p', {}, id !== undefined && [html('strong', {}, id), ' '], says),
    (why !== undefined || attack) && html('h3', {}, 'Why it matters'),
    why !== undefined && html('p', {}, why),
    attack &&
      html(
        'p',
        { class: 'hint' },
        `A similar bug was published as ${attack.id} (${attack.project}): ${attack.cause}.`,
      ),
  ]
}

/** Lists the states that keep the rule and that the recording passed, each with its last transition. */
export function listPlaces(explorer: Explorer, recording: Recording): Content {
  const { breaks, frames } = recording
  const passed = new Map<string, readonly [at: number, hop: Hop]>()
  for (const [at, frame] of frames.entries())
    if (frame.kind === 'hop' && isAbout(explorer, frame, breaks?.id))
      passed.set(`${frame.flow}: ${frame.state}`, [at, frame])
  if (passed.size === 0) return undefined
  const chapters = chaptersOf(frames)
  return [
    html('h3', {}, 'Where to look'),
    html('p', {}, 'These states enforce the rule. The sequence passed them.'),
    html(
      'ul',
      { class: 'places' },
      [...passed].map(([place, [at, { event }]]) => {
        const chapter = chapters.find((each) => contains(each, at))
        return html(
          'li',
          {},
          button(
            [
              html('strong', {}, place),
              html('span', { class: 'quiet-note' }, `${event}, in “${chapter?.title ?? recording.title}”`),
            ],
            () => explorer.go({ ...showFrame(explorer, recording, at), isPlaying: false }),
          ),
        )
      }),
    ),
  ]
}

type Hop = Extract<Frame, { kind: 'hop' }>

function isAbout(explorer: Explorer, { flow, state }: Hop, requirement: string | undefined): boolean {
  const node = graphOf(explorer, flow).nodes.find(({ id }) => id === state)
  return node?.spec.some((id) => id === requirement) === true
}
