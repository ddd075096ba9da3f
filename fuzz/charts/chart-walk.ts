import type {
  Chart,
  CompoundState,
  Edges,
  FinalState,
  RestingState,
  WorkingState,
} from 'authmachine/machines'

export type State = WorkingState | RestingState | CompoundState | FinalState

/** A state of a chart at its place: `admitting.recognising.openingToken`. */
export interface Placed {
  readonly name: string
  readonly state: State
  /** Every event it hears, itself or through an ancestor, with the place it leads to. */
  readonly heard: ReadonlyMap<string, string>
}

/** Where one edge of a chart stands. */
export interface Edge {
  /** The state that hears the event; empty for the chart itself. */
  readonly at: string
  readonly event: string
  readonly target: string
}

/** All states of a chart, compound ones included, by their places. */
export function placesOf(chart: Chart): ReadonlyMap<string, Placed> {
  const places = new Map<string, Placed>()
  const walk = (states: Record<string, State>, above: string, inherited: ReadonlyMap<string, string>) => {
    for (const [key, state] of Object.entries(states)) {
      const name = above + key
      const heard = new Map([...inherited, ...own(state, above)])
      places.set(name, { name, state, heard })
      if ('states' in state) walk(state.states, `${name}.`, heard)
    }
  }
  const root = Object.entries(chart.on ?? {}).map(([event, to]) => [event, to.replace(/^\./, '')] as const)
  walk(chart.states, '', new Map(root))
  return places
}

function own(state: State, above: string): [string, string][] {
  return 'on' in state ? Object.entries(state.on ?? {}).map(([event, to]) => [event, above + to]) : []
}

/** The innermost state in which a state begins. */
export function enter(places: ReadonlyMap<string, Placed>, name: string): Placed {
  const placed = places.get(name)
  if (!placed) throw new Error(`there is no state ${name}`)
  return 'initial' in placed.state ? enter(places, `${name}.${placed.state.initial}`) : placed
}

/** Every edge that is written in a chart, those of compound states and of the root included. */
export function edgesOf(chart: Chart): Edge[] {
  const list = (at: string, on: Edges = {}) =>
    Object.entries(on).map(([event, target]) => ({ at, event, target }))
  const nested = [...placesOf(chart).values()].flatMap(({ name, state }) =>
    'on' in state ? list(name, state.on) : [],
  )
  return [...list('', chart.on), ...nested]
}

/** One hop of a path, by the states as they are placed. */
export interface PathHop {
  readonly state: string
  readonly event: string
  readonly next: string
}

/**
 * Every simple path from the first state to a final one, and, for each edge that leads back and so lies on none of
 * them, one path that takes it.
 * @param says the events that a step can report
 */
export function pathsOf(chart: Chart, says: (step: string) => readonly string[]): PathHop[][] {
  const places = placesOf(chart)
  const found: PathHop[][] = []
  const returning = new Map<string, PathHop[]>()
  const go = (from: Placed, path: readonly PathHop[]) => {
    if ('type' in from.state) return void found.push([...path])
    for (const hop of hopsFrom(places, from, says)) {
      const longer = [...path, hop]
      const isBack = longer.some(({ state }) => state === hop.next)
      if (!isBack) go(enter(places, hop.next), longer)
      else if (!returning.has(`${hop.state} ${hop.event}`)) returning.set(`${hop.state} ${hop.event}`, longer)
    }
  }
  go(enter(places, chart.initial), [])
  const home = (path: PathHop[]) => [...path, ...wayOut(places, path.at(-1)?.next ?? '', says)]
  return [...found, ...[...returning.values()].map(home)]
}

function hopsFrom(
  places: ReadonlyMap<string, Placed>,
  { name, state, heard }: Placed,
  says: (step: string) => readonly string[],
): PathHop[] {
  if (!('invoke' in state)) return []
  return says(state.invoke.src).flatMap((event) => {
    const target = heard.get(event)
    return target === undefined ? [] : [{ state: name, event, next: enter(places, target).name }]
  })
}

/** The shortest way from a state to a final one. */
function wayOut(
  places: ReadonlyMap<string, Placed>,
  from: string,
  says: (step: string) => readonly string[],
): PathHop[] {
  const seen = new Set([from])
  let ways: PathHop[][] = [[]]
  while (ways.length > 0) {
    const next: PathHop[][] = []
    for (const way of ways) {
      const here = enter(places, way.at(-1)?.next ?? from)
      if ('type' in here.state) return way
      for (const hop of hopsFrom(places, here, says)) {
        if (seen.has(hop.next)) continue
        seen.add(hop.next)
        next.push([...way, hop])
      }
    }
    ways = next
  }
  return []
}
