import type {
  AnyChart,
  Chart,
  CompoundState,
  Edges,
  FinalState,
  RestingState,
  WorkingState,
} from 'authmachine/machines'

export type State = WorkingState | RestingState | CompoundState | FinalState

/** A state of a chart with its path: `admitting.recognising.openingToken`. */
export interface Placed {
  readonly name: string
  readonly state: State
  /** Every event that it handles, itself or through an ancestor, with the path of the target. */
  readonly heard: ReadonlyMap<string, string>
}

/** An edge of a chart, where it is written. */
export interface Edge {
  /** The state that handles the event; empty for the chart itself. */
  readonly at: string
  readonly event: string
  readonly target: string
}

/** Returns all states of a chart, including compound ones, by path. */
export function placesOf(chart: AnyChart): ReadonlyMap<string, Placed> {
  const places = new Map<string, Placed>()
  const walk = (states: Record<string, State>, above: string, inherited: ReadonlyMap<string, string>) => {
    for (const [key, state] of Object.entries(states)) {
      const name = above + key
      const heard = new Map([...inherited, ...own(state, name, above)])
      places.set(name, { name, state, heard })
      if ('states' in state) walk(state.states, `${name}.`, heard)
    }
  }
  const root = Object.entries(onOf(chart)).map(([event, to]) => [event, to.replace(/^\./, '')] as const)
  walk(chart.states, '', new Map(root))
  return places
}

function own(state: State, name: string, above: string): [string, string][] {
  const on = 'on' in state ? (state.on ?? {}) : {}
  return Object.entries(on).map(([event, to]) => [event, to.startsWith('.') ? name + to : above + to])
}

/** The events that the chart itself hears. */
function onOf(chart: AnyChart): Edges {
  return 'on' in chart ? (chart.on ?? {}) : {}
}

/** Returns the innermost initial state of a state. */
export function enter(places: ReadonlyMap<string, Placed>, name: string): Placed {
  const placed = places.get(name)
  if (!placed) throw new Error(`There is no state ${name}`)
  return 'initial' in placed.state ? enter(places, `${name}.${placed.state.initial}`) : placed
}

/** Returns every edge written in a chart, including those of compound states and of the root. */
export function edgesOf(chart: AnyChart): Edge[] {
  const list = (at: string, on: Edges = {}) =>
    Object.entries(on).map(([event, target]) => ({ at, event, target }))
  const nested = [...placesOf(chart).values()].flatMap(({ name, state }) =>
    'on' in state ? list(name, state.on) : [],
  )
  return [...list('', onOf(chart)), ...nested]
}

/** One hop of a path, with the paths of its states. */
export interface PathHop {
  readonly state: string
  readonly event: string
  readonly next: string
}

/**
 * Returns every simple path from the initial state to a final one. It adds one path for each edge that leads back and is
 * not on these paths, and one for each fault that does not end the flow.
 * @param says returns the events that a step can report
 */
export function pathsOf(chart: Chart, says: (step: string) => readonly string[]): PathHop[][] {
  const places = placesOf(chart)
  const found: PathHop[][] = []
  const detours = new Map<string, PathHop[]>()
  const go = (from: Placed, path: readonly PathHop[]) => {
    if ('type' in from.state) return void found.push([...path])
    for (const hop of hopsFrom(places, from, says)) {
      const longer = [...path, hop]
      const isBack = longer.some(({ state }) => state === hop.next)
      if (isBack) detour(longer, hop)
      else go(enter(places, hop.next), longer)
    }
    for (const hop of hopsFrom(places, from, () => ['fault']))
      if (!('type' in enter(places, hop.next).state)) detour([...path, hop], hop)
  }
  const detour = (path: PathHop[], { state, event }: PathHop) => {
    const edge = `${state} ${event}`
    if (!detours.has(edge)) detours.set(edge, path)
  }
  go(enter(places, chart.initial), [])
  const home = (path: PathHop[]) => [...path, ...wayOut(places, path.at(-1)?.next ?? '', says)]
  return [...found, ...[...detours.values()].map(home)]
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

/** Returns the shortest path from a state to a final one. */
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
