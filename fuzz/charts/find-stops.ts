import { flows, type Flow, type Frame, type Stop } from 'authmachine/instrumented'
import { requirement, type RequirementId } from 'authmachine/spec'
import { enter, placesOf, type Placed, type State } from './chart-walk.ts'

/** The transitions of one request through one flow. */
interface Run {
  readonly flow: Flow
  readonly hops: readonly (Hop & { readonly at: number })[]
}

type Hop = Extract<Frame, { kind: 'hop' }>

const byId = new Map<string, Flow>(Object.values(flows).map((flow) => [flow.id, flow]))

/**
 * Finds where a story that broke a requirement should have stopped. Uses its last run that entered a state of the
 * requirement and left it by an edge that does not refuse, although another edge does; that left such a state by the
 * wrong edge, although none refuses; or that never entered such a state of its flow. The story of a requirement that
 * the charts do not mention has no stops.
 */
export function findStops(id: RequirementId, frames: readonly Frame[]): Stop[] {
  const runs = listRuns(frames).toReversed()
  const { id: name } = requirement(id)
  for (const find of [findLeft, findMisled, findAvoided])
    for (const run of runs) {
      const stops = find(name, run)
      if (stops.length > 0) return stops
    }
  return []
}

function listRuns(frames: readonly Frame[]): Run[] {
  const runs: Run[] = []
  let hops: Run['hops'][number][] | undefined
  for (const [at, frame] of frames.entries()) {
    if (frame.kind === 'request') hops = undefined
    if (frame.kind !== 'hop') continue
    const flow = byId.get(frame.flow)
    if (!flow) continue
    if (!hops || hops.at(-1)?.flow !== frame.flow) {
      hops = []
      runs.push({ flow, hops })
    }
    hops.push({ ...frame, at })
  }
  return runs
}

/** Finds the states of a requirement that a run entered, and left by an edge that does not refuse. */
function findLeft(id: RequirementId, { flow, hops }: Run): Stop[] {
  const places = placesOf(flow.chart)
  const last = new Map(hops.map((hop) => [hop.state, hop]))
  return [...last.values()].flatMap(({ state, next, at }) => {
    const place = places.get(state)
    if (!place || !isAbout(id, place) || refuses(places, next)) return []
    const edges = edgesThatStop(id, flow, place)
    return edges.length === 0 ? [] : [{ flow: flow.id, state, edges, at, isEntered: true }]
  })
}

/** Finds the states of a requirement that a run left by one of several edges, none of which refuses. */
function findMisled(id: RequirementId, { flow, hops }: Run): Stop[] {
  const places = placesOf(flow.chart)
  return hops.flatMap(({ state, at }) => {
    const place = places.get(state)
    if (!place || !isAbout(id, place) || edgesThatStop(id, flow, place).length > 0) return []
    return eventsOf(flow, place).length > 1 ? [{ flow: flow.id, state, edges: [], at, isEntered: true }] : []
  })
}

/** Finds the states of a requirement that a run never entered. */
function findAvoided(id: RequirementId, { flow, hops }: Run): Stop[] {
  const entered = new Set(hops.map(({ state }) => state))
  const at = hops.at(-1)?.at ?? 0
  return [...placesOf(flow.chart).values()].flatMap((place) => {
    if (!isAbout(id, place) || entered.has(place.name)) return []
    const edges = edgesThatStop(id, flow, place)
    return edges.length === 0 ? [] : [{ flow: flow.id, state: place.name, edges, at, isEntered: false }]
  })
}

function isAbout(id: RequirementId, { state }: Placed): boolean {
  return state.meta.spec.some((each) => requirement(each).id === id)
}

/** Returns the edges of a state that lead to a refusal or a fault: those to an outcome of the requirement, if there are any. */
function edgesThatStop(id: RequirementId, flow: Flow, place: Placed): Stop['edges'] {
  const places = placesOf(flow.chart)
  const edges = eventsOf(flow, place).flatMap((event) => {
    const target = place.heard.get(event)
    if (target === undefined) return []
    const outcome = enter(places, target)
    return refuses(places, outcome.name) ? [{ event, outcome }] : []
  })
  const closest = edges.filter(({ outcome }) => isAbout(id, outcome))
  return (closest.length > 0 ? closest : edges).map(({ event, outcome }) => ({ event, next: outcome.name }))
}

/** Returns the events that a working state can report. */
function eventsOf({ steps }: Flow, { state }: Placed): string[] {
  return 'invoke' in state ? Object.keys(steps[state.invoke.src]?.says ?? {}) : []
}

function refuses(places: ReadonlyMap<string, Placed>, name: string): boolean {
  const state: State | undefined = places.get(name)?.state
  return state !== undefined && 'type' in state && state.meta.ending !== 'success'
}
