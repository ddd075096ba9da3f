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

/** Lists the states that check the rule and did not stop the recording, or else its last transition. */
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
        ? 'These states check the rule. The fault is in one of them, or in an earlier step that stored what they read.'
        : 'No state that checks the rule was entered. The sequence ended with this transition.',
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
  const others = eventsOf(explorer, hop).filter((event) => event !== hop.event)
  const where = `${hop.event}, in “${chapter?.title ?? recording.title}”`
  const rest = others.length > 0 && `Other events of this state: ${others.join(', ')}.`
  const notes = [where, rest].map((note) => note && html('span', { class: 'quiet-note' }, note))
  return button([html('strong', {}, nameState(hop)), notes], () =>
    explorer.go({ ...showFrame(explorer, recording, at), isPlaying: false }),
  )
}

type Passed = readonly [at: number, hop: Hop]

function nameState({ flow, state }: Hop): string {
  return `${flow}: ${state}`
}

/** The events that a state can report. */
function eventsOf({ data }: Explorer, { flow, state }: Pick<Hop, 'flow' | 'state'>): readonly string[] {
  return data.says[flow]?.[state] ?? []
}

type Hop = Extract<Frame, { kind: 'hop' }>

/** Tells whether a state decides about a requirement. */
function isAbout(explorer: Explorer, { flow, state }: Hop, requirement: string | undefined): boolean {
  const node = graphOf(explorer, flow).nodes.find(({ id }) => id === state)
  // A state that can report one event decides nothing.
  if (eventsOf(explorer, { flow, state }).length < 2) return false
  return node?.spec.some((id) => id === requirement) === true
}
