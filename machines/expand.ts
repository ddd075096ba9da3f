import type { Chart, CompoundState, Edges, RestingState, WorkingState } from './states.ts'

/**
 * A state that the features of a configuration fill. As written it is a piece without states, whose exits the enclosing
 * chart handles. `expand` replaces it with one state for each feature, or removes it if there are none.
 */
interface Slot extends CompoundState {
  readonly slot: SlotName
  /** The event that leads on. Without features, the edges to the slot lead to its target. */
  readonly passes: string
}

/** The places in charts where features add states, and the events with which they are left. */
export const slotExits = {
  gates: ['gate.passed', 'gate.held', 'gate.refused'],
  settling: ['gate.settled'],
} as const
type SlotName = keyof typeof slotExits

/** A state that fills a slot: its name, what it does, and the step that it invokes. */
export interface Filling {
  readonly state: string
  readonly description: string
  /** @param place the state of the chart that contains the slot */
  readonly step: (place: string) => string
}
export type Fillings = Readonly<Record<SlotName, readonly Filling[]>>

type State = Chart['states'][string]
type Nested = WorkingState | RestingState | CompoundState
type States<S extends State> = { readonly [name: string]: S }

/** The fillings of a chart, and the exits that no state reports because their slot is empty. */
interface Expansion {
  readonly fillings: Fillings
  readonly silent: ReadonlySet<string>
}

/** Returns the chart of a configuration. A chart without slots stays the same object. */
export function expand<C extends Chart>(chart: C, fillings: Fillings): C {
  if (!Object.values(chart.states).some(hasSlot)) return chart
  const empty = Object.entries(slotExits).filter(([name]) => fillings[name as SlotName].length === 0)
  const silent = new Set(empty.flatMap(([, exits]): readonly string[] => exits))
  const states = expandStates<State>(chart.states, { fillings, silent })
  const targets = new Set(
    Object.values(states).flatMap((state) => ('on' in state ? targetsOf(state.on) : [])),
  )
  const fault = chart.on?.['fault']?.slice(1)
  const kept = Object.entries(states).filter(
    ([name, state]) => !('type' in state) || targets.has(name) || name === fault,
  )
  return { ...chart, states: Object.fromEntries(kept) }
}

function targetsOf(on: Edges | undefined): string[] {
  return Object.values(on ?? {})
}

function isSlot(state: State | undefined): state is Slot {
  return state !== undefined && 'slot' in state
}

function hasSlot(state: State): boolean {
  return 'states' in state && (isSlot(state) || Object.values(state.states).some(hasSlot))
}

/** @param place the state of the chart that contains these states, unless they are the chart's own */
function expandStates<S extends State>(states: States<S>, expansion: Expansion, place?: string): States<S> {
  const lead = (target: string): string => {
    const state = states[target]
    const isEmpty = isSlot(state) && expansion.fillings[state.slot].length === 0
    return isEmpty ? lead(state.on?.[state.passes] ?? target) : target
  }
  const kept = Object.entries(states).filter(([name]) => lead(name) === name)
  return Object.fromEntries(
    kept.map(([name, state]) => [name, expandState(state, expansion, lead, place ?? name)]),
  )
}

function expandState<S extends State>(
  state: S,
  expansion: Expansion,
  lead: (target: string) => string,
  place: string,
): S {
  const { fillings, silent } = expansion
  const on = 'on' in state && state.on ? { on: expandEdges(state.on, silent, lead) } : {}
  if (!('states' in state)) return { ...state, ...on }
  if (isSlot(state)) return { ...state, ...on, ...fillSlot(state, fillings[state.slot], place) }
  const initial = leadInto(state, expansion)
  const exits = state.exits ? { exits: state.exits.filter((exit) => !silent.has(exit)) } : {}
  return { ...state, ...on, ...exits, initial, states: expandStates<Nested>(state.states, expansion, place) }
}

function expandEdges(on: Edges, silent: ReadonlySet<string>, lead: (target: string) => string): Edges {
  const edges = Object.entries(on).filter(([event]) => !silent.has(event))
  return Object.fromEntries(edges.map(([event, target]) => [event, lead(target)]))
}

/** A piece may begin with a slot. */
function leadInto({ initial, states }: CompoundState, { fillings }: Expansion): string {
  const first = states[initial]
  const isEmpty = isSlot(first) && fillings[first.slot].length === 0
  return isEmpty ? (first.on?.[first.passes] ?? initial) : initial
}

/** Each state leads to the next one. The last one reports the event that leads on. */
function fillSlot(
  { passes, meta }: Slot,
  list: readonly Filling[],
  place: string,
): Pick<CompoundState, 'initial' | 'states'> {
  const states = list.map(({ state, description, step }, index) => {
    const next = list[index + 1]
    const name = step(place)
    const on: Edges = next ? { [passes]: next.state } : {}
    return [state, { description, meta, invoke: { id: name, src: name }, on }] as const
  })
  return { initial: list[0]?.state ?? '', states: Object.fromEntries(states) }
}
