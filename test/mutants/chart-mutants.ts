import type { Chart } from '../../machines/chart.ts'
import { toMachine } from '../../machines/chart.ts'
import type { Flow } from '../../src/flows/engine/flow.ts'
import type { Hop } from '../../src/flows/engine/run.ts'
import type { Flows } from '../../src/flows/flows.ts'
import type { AnyStep } from '../../src/flows/engine/step.ts'
import { edgesOf, placesOf, type Edge } from '../../fuzz/charts/chart-walk.ts'

/** The library's flows, one of them mutated. */
export interface ChartMutant {
  readonly id: string
  readonly flows: Flows
  /** Whether this hop of an unmutated run passes the mutated place. */
  readonly touches: (hop: Hop) => boolean
  /** Whether the mutation changes the next state of this hop. A wrong event may lead to the same state. */
  readonly diverts: (hop: Hop) => boolean
}

/**
 * Redirects every edge of every chart, one at a time.
 * @param each the number of other states of its level to which each edge is redirected, the most similar first
 * @param isSame whether two states of a flow are equivalent, so that swapping them is not a bug
 */
export function retargetedEdges(
  flows: Flows,
  each: number,
  isSame: (flow: Flow, one: string, other: string) => boolean = () => false,
): ChartMutant[] {
  return Object.values(flows).flatMap((flow) => {
    const places = placesOf(flow.chart)
    return edgesOf(flow.chart).flatMap((edge) => {
      const touches = (hop: Hop) =>
        hop.flow === flow.id && hop.event === edge.event && hears(places, hop, edge)
      const target = edge.target.replace(/^\./, '')
      return othersThan(target, siblingsOf(flow.chart, edge))
        .filter((name) => !isSame(flow, name, target))
        .slice(0, each)
        .map((name) => ({
          id: `${flow.id}: ${edge.at || 'anywhere'} -(${edge.event})-> ${name} instead of ${edge.target}`,
          flows: { ...flows, [flow.id]: withChart(flow, retarget(flow.chart, edge, name)) },
          touches,
          diverts: touches,
        }))
    })
  })
}

type Level = Readonly<Record<string, { readonly meta: { readonly ending?: unknown } }>>

/** The states of the level on which an edge ends. */
function siblingsOf(chart: Chart, { at }: Edge): Level {
  const parent = at.split('.').slice(0, -1)
  let level: object = chart.states
  for (const part of parent) level = (Reflect.get(level, part) as { states: object }).states
  return level as Level
}

/** The other states of a level. States of the same kind come first, since they are hardest to distinguish. */
function othersThan(target: string, level: Level): string[] {
  const names = Object.keys(level)
  const here = names.indexOf(target)
  const distance = (name: string) =>
    Math.abs(names.indexOf(name) - here) +
    (level[name]?.meta.ending === level[target]?.meta.ending ? 0 : names.length)
  return names.filter((name) => name !== target).toSorted((a, b) => distance(a) - distance(b))
}

/** Whether a hop took this edge. The innermost state that handles an event decides. */
function hears(places: ReturnType<typeof placesOf>, hop: Hop, edge: Edge): boolean {
  const parts = hop.state.split('.')
  for (let length = parts.length; length > 0; length--) {
    const at = parts.slice(0, length).join('.')
    const state = places.get(at)?.state
    if (state && 'on' in state && state.on && hop.event in state.on) return at === edge.at
  }
  return edge.at === ''
}

function retarget(chart: Chart, { at, event }: Edge, name: string): Chart {
  const copy = structuredClone(chart) as unknown as { on: Record<string, string>; states: object }
  if (at === '') copy.on[event] = `.${name}`
  else {
    let state = copy as object
    for (const part of at.split('.'))
      state = Reflect.get(Reflect.get(state, 'states') as object, part) as object
    ;(Reflect.get(state, 'on') as Record<string, string>)[event] = name
  }
  return copy as unknown as Chart
}

function withChart(flow: Flow, chart: Chart): Flow {
  return { ...flow, chart, machine: toMachine(chart) }
}

/** Removes every step, so that it throws, and makes every step report each of its events unconditionally. */
export function brokenSteps(flows: Flows): ChartMutant[] {
  return Object.values(flows).flatMap((flow) => {
    const places = placesOf(flow.chart)
    const next = (state: string, event: string) => places.get(state)?.heard.get(event)
    return Object.entries(flow.steps).flatMap(([name, step]) => {
      const states = statesOf(flow.chart, name)
      const touches = (hop: Hop) => hop.flow === flow.id && states.includes(hop.state)
      const mutant = (what: string, run: AnyStep['run'], says = 'fault'): ChartMutant => ({
        id: `${flow.id}: ${name} ${what}`,
        flows: { ...flows, [flow.id]: { ...flow, steps: { ...flow.steps, [name]: { ...step, run } } } },
        touches,
        diverts: (hop) => touches(hop) && next(hop.state, hop.event) !== next(hop.state, says),
      })
      const removed = mutant('is taken out', () => {
        throw new Error(`${name} is taken out`)
      })
      const lies = Object.keys(step.says).map((event) =>
        mutant(`always says ${event}`, () => ({ type: event }), event),
      )
      return [removed, ...lies]
    })
  })
}

function statesOf(chart: Chart, step: string): string[] {
  return [...placesOf(chart).values()]
    .filter(({ state }) => 'invoke' in state && state.invoke.src === step)
    .map(({ name }) => name)
}
