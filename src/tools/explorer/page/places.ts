import type { Frame, Recording } from '../data.ts'
import { type Chapter, chaptersOf } from '../outline.ts'
import { button, html } from './dom.ts'
import { type Explorer, graphOf, showFrame } from './state.ts'

type Hop = Extract<Frame, { kind: 'hop' }>

/** A state that a recording passed. */
interface Passed extends Hop {
  readonly at: number
  /** The first frame of its request. */
  readonly request: number
  readonly chapter: string
  /** The calls of the store that its step made. */
  readonly calls: readonly string[]
  /** The broken rules that the state should enforce. */
  readonly rules: readonly string[]
}

/**
 * Returns the states in which the fault of a recording can be: the states of its last request, and those that stored
 * the data that it used.
 */
export function listPlaces(
  explorer: Explorer,
  recording: Recording,
): { readonly last: readonly HTMLElement[]; readonly before: readonly HTMLElement[] } {
  const chapters = chaptersOf(recording.frames)
  const passed = chapters.map((chapter) => passedIn(explorer, recording, chapter))
  const all = passed.pop() ?? []
  const last = all.filter(({ request }) => request === all.at(-1)?.request)
  const used = kindsOf(last)
  const isUsed = ({ calls }: Passed) => calls.some((call) => used.has(kindOf(call)))
  const relevant = last.filter((each) => each.rules.length > 0 || isUsed(each))
  const writers = [...used].flatMap((kind) => {
    const writes = ({ calls }: Passed) => calls.some((call) => isWrite(call) && kindOf(call) === kind)
    return passed.findLast((states) => states.some(writes))?.filter(writes) ?? []
  })
  const before = [...new Set(writers)].toSorted((one, other) => one.at - other.at)
  return {
    last: relevant
      .toSorted((one, other) => other.rules.length - one.rules.length)
      .map((each) => html('li', {}, writePlace(explorer, recording, each))),
    before: firstOfEach(before).map((each) =>
      html('li', {}, writePlace(explorer, recording, each, `In “${each.chapter}”.`)),
    ),
  }
}

function passedIn(explorer: Explorer, { frames, breaks = [] }: Recording, chapter: Chapter): Passed[] {
  let calls: string[] = []
  let request = chapter.at
  return frames.slice(chapter.at, chapter.end).flatMap((frame, index) => {
    if (frame.kind === 'request') {
      calls = []
      request = chapter.at + index
    }
    if (frame.kind === 'call' && frame.to === 'store') calls.push(frame.text)
    if (frame.kind !== 'hop') return []
    const cited = nodeOf(explorer, frame.flow, frame.state)?.spec ?? []
    const rules = cited.filter((id) => breaks.some((rule) => rule.id === id))
    const passed = { ...frame, at: chapter.at + index, request, chapter: chapter.title, calls, rules }
    calls = []
    return [passed]
  })
}

/** Sessions and users are read at almost every request. They count only if the request uses no other data. */
function kindsOf(states: readonly Passed[]): Set<string> {
  const kinds = new Set(states.flatMap(({ calls }) => calls.map(kindOf)))
  const rare = [...kinds].filter((kind) => kind !== 'Session' && kind !== 'User')
  return rare.length > 0 ? new Set(rare) : kinds
}

/** The kind of data of a store call: `Session` for `listSessionsByUserId`. */
function kindOf(call: string): string {
  return /^[a-z]+([A-Z][a-z]+?)s?(?=[A-Z\W]|$)/.exec(call)?.[1] ?? call
}

function isWrite(call: string): boolean {
  return !/^(?:get|list)/.test(call)
}

function firstOfEach(states: readonly Passed[]): readonly Passed[] {
  return states.filter((each, at) => states.findIndex((other) => nameState(other) === nameState(each)) === at)
}

function nameState({ flow, state }: Hop): string {
  return `${flow}: ${state}`
}

function nodeOf(explorer: Explorer, flow: string, state: string) {
  return graphOf(explorer, flow).nodes.find(({ id }) => id === state)
}

function writePlace(explorer: Explorer, recording: Recording, passed: Passed, where?: string): HTMLElement {
  const { at, flow, state, event, calls, rules } = passed
  const { step } = nodeOf(explorer, flow, state) ?? {}
  const others = (explorer.data.says[flow]?.[state] ?? []).filter((each) => each !== event)
  const notes = [
    rules.length > 0 && `Implements ${rules.join(' and ')}.`,
    calls.length > 0 && `Calls ${calls.join(', ')}.`,
    `Reported ${event}${others.length > 0 ? `; could have reported ${others.join(', ')}` : ''}.`,
    where,
  ]
  const file = step === undefined ? undefined : explorer.data.code[step]
  return button(
    [
      html('strong', {}, nameState(passed)),
      step !== undefined && html('code', {}, file === undefined ? step : `${step} in ${file}`),
      notes.map((note) => Boolean(note) && html('span', { class: 'quiet-note' }, note)),
    ],
    () => explorer.go({ ...showFrame(explorer, recording, at), isPlaying: false }),
  )
}
