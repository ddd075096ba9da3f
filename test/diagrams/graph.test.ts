import { describe, expect, it } from 'vitest'
import { transition, type AnyMachineSnapshot, type StateValue } from 'xstate'
import { charts, graphOf, journeyChart, machines, toMachine } from '../../machines/index.ts'
import type { AnyChart, FlowEdge, FlowGraph } from '../../machines/index.ts'
import { edgesOf, placesOf } from '../../fuzz/charts/chart-walk.ts'
import { hostileChart } from './hostile.ts'

const all: readonly AnyChart[] = [...Object.values(charts), journeyChart, hostileChart]

describe.each(all.map((chart) => [chart.id, chart] as const))('the graph of %s', (id, chart) => {
  const graph = graphOf(chart)

  it('has every state of the chart with its description, step and requirements', () => {
    const places = [...placesOf(chart).values()]
    expect(graph.nodes.map((node) => node.id)).toEqual(places.map(({ name }) => name))
    for (const { name, state } of places) {
      const node = graph.nodes.find((each) => each.id === name)
      expect(node).toMatchObject({ description: state.description, spec: state.meta.spec })
      expect(node?.step).toBe('invoke' in state ? state.invoke.src : undefined)
      expect(node?.ending).toBe('type' in state ? state.meta.ending : undefined)
      expect(node?.initial).toBe('states' in state ? `${name}.${state.initial}` : undefined)
      expect(node?.parent).toBe(name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : undefined)
    }
    expect(graph.initial).toBe('initial' in chart ? chart.initial : undefined)
    expect(graph).toMatchObject({
      id,
      description: chart.description,
      spec: chart.meta.spec,
    })
  })

  it('has every edge of the chart, once', () => {
    expect(graph.edges).toHaveLength(edgesOf(chart).length)
    const edges = graph.edges.map(({ source = '', event }) => `${source} ${event}`)
    expect(edges.toSorted()).toEqual(
      edgesOf(chart)
        .map(({ at, event }) => `${at} ${event}`)
        .toSorted(),
    )
  })

  it('has the same transitions as XState', () => {
    const machine = toMachine(chart)
    const leaves = graph.nodes.filter(({ kind }) => kind === 'working' || kind === 'resting')
    for (const leaf of leaves) {
      const snapshot = machine.resolveState({ value: valueOf(leaf.id), context: {} }) as AnyMachineSnapshot
      const events = new Set(graph.edges.map(({ event }) => event))
      for (const event of events) {
        const [next] = transition(machine, snapshot, { type: event })
        const edge = heardBy(graph, leaf.id, event)
        const [region = ''] = leaf.id.split('.')
        const value = graph.initial === undefined ? { [region]: next.value[region] } : next.value
        expect(placeOf(value), `${leaf.id} ${event}`).toBe(edge ? enter(graph, edge.target) : leaf.id)
      }
    }
  })
})

describe('authmachine/machines', () => {
  it('has a machine for each chart that can be drawn', () => {
    expect(Object.keys(machines)).toEqual([...Object.keys(charts), journeyChart.id])
  })
})

/** The edge that a state takes: its own, or that of the nearest ancestor. */
function heardBy(graph: FlowGraph, place: string, event: string): FlowEdge | undefined {
  const own = graph.edges.find((edge) => (edge.source ?? '') === place && edge.event === event)
  if (own || place === '') return own
  return heardBy(graph, place.slice(0, Math.max(place.lastIndexOf('.'), 0)), event)
}

function enter(graph: FlowGraph, place: string): string {
  const initial = graph.nodes.find(({ id }) => id === place)?.initial
  return initial === undefined ? place : enter(graph, initial)
}

function valueOf(place: string): StateValue {
  const [name = '', ...inner] = place.split('.')
  return inner.length === 0 ? name : { [name]: valueOf(inner.join('.')) }
}

function placeOf(value: unknown): string {
  if (typeof value === 'string') return value
  const [[name, inner] = []] = Object.entries(value as object)
  return `${name}.${placeOf(inner)}`
}
