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

/** Lists the states that enforce the rule and that the recording passed, or else its last transition. */
export function listPlaces(explorer: Explorer, recording: Recording): Content {
  const { breaks, frames } = recording
  const hops = frames.flatMap((frame, at): Passed[] => (frame.kind === 'hop' ? [[at, frame]] : []))
  const passed = new Map(
    hops.filter(([, hop]) => isAbout(explorer, hop, breaks?.id)).map((each) => [nameState(each[1]), each]),
  )
  const shown = passed.size > 0 ? [...passed.values()] : hops.slice(-1)
  if (!breaks || shown.length === 0) return undefined
  return [
    html('h3', {}, 'Where to look'),
    html(
      'p',
      {},
      passed.size > 0
        ? 'These states enforce the rule, and the sequence passed them.'
        : 'The sequence passed no state that enforces the rule. It ended with this transition.',
    ),
    html(
      'ul',
      { class: 'places' },
      shown.map((each) => html('li', {}, writePlace(explorer, recording, each))),
    ),
  ]
}

function writePlace(explorer: Explorer, recording: Recording, [at, hop]: Passed): Content {
  const chapter = chaptersOf(recording.frames).find((each) => contains(each, at))
  const where = `${hop.event}, in “${chapter?.title ?? recording.title}”`
  return button([html('strong', {}, nameState(hop)), html('span', { class: 'quiet-note' }, where)], () =>
    explorer.go({ ...showFrame(explorer, recording, at), isPlaying: false }),
  )
}

type Passed = readonly [at: number, hop: Hop]

function nameState({ flow, state }: Hop): string {
  return `${flow}: ${state}`
}

type Hop = Extract<Frame, { kind: 'hop' }>

function isAbout(explorer: Explorer, { flow, state }: Hop, requirement: string | undefined): boolean {
  const node = graphOf(explorer, flow).nodes.find(({ id }) => id === state)
  return node?.spec.some((id) => id === requirement) === true
}
