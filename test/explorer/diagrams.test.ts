import { describe, expect, it } from 'vitest'
import { createMachine, initialTransition, transition, type AnyStateMachine } from 'xstate'
import { toMachine } from '../../machines/chart.ts'
import { graphOf } from '../../machines/graph.ts'
import { drawable } from '../../src/tools/diagrams/drawable.ts'
import type { Layouts, PackedBox } from '../../src/tools/explorer/data.ts'
import given from '../../src/tools/explorer/layouts.json' with { type: 'json' }
import { isOpen, viewKeys, visibleArrows, visibleNodes, visiblePlace } from '../../src/tools/explorer/fold.ts'
import { writeMachine } from '../../src/tools/explorer/write-machine.ts'

const layouts = given as unknown as Layouts
const graphs = [...drawable.values()].map(graphOf)
const views = graphs.flatMap((graph) =>
  viewKeys(graph).map((key) => ({ name: `${graph.id} ${key}`, graph, key })),
)

describe('the diagrams of the explorer', () => {
  it.each(views)('have a place for each visible state and arrow: $name', ({ graph, key }) => {
    const view = layouts[graph.id]?.[key]
    expect(view?.boxes).toHaveLength(visibleNodes(graph, key).length)
    expect(view?.arrows).toHaveLength(visibleArrows(graph, key).length)
    const [width = 0, height = 0] = view?.size ?? []
    for (const [x, y, wide, high] of view?.boxes ?? []) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
      expect(x + wide).toBeLessThanOrEqual(width)
      expect(y + high).toBeLessThanOrEqual(height)
    }
  })

  it.each(views)('overlap neither states nor labels: $name', ({ graph, key }) => {
    const view = layouts[graph.id]?.[key]
    const nodes = visibleNodes(graph, key)
    const solid = (view?.boxes ?? []).filter((_, index) => {
      const node = nodes[index]
      return node && !(node.kind === 'compound' && isOpen(key, node.id))
    })
    const boxes = [...solid, ...(view?.arrows ?? []).map(([, label]) => label)]
    const pairs = boxes.flatMap((one, index) => boxes.slice(0, index).map((other) => [one, other] as const))
    expect(pairs.filter(([one, other]) => overlap(one, other))).toEqual([])
  })

  it('show the folded callback on one screen', () => {
    const [width = 0, height = 0] = layouts['callback']?.['']?.size ?? []
    expect(width).toBeLessThan(700)
    expect(height).toBeLessThan(1000)
  })

  it('fold everything around a state except what encloses it', () => {
    expect(visiblePlace('', 'admitting.recognising.openingToken')).toBe('admitting')
    expect(visiblePlace('admitting', 'admitting.recognising.openingToken')).toBe('admitting.recognising')
    expect(visiblePlace('*', 'admitting.recognising.openingToken')).toBe('admitting.recognising.openingToken')
    expect(isOpen('admitting.recognising', 'admitting')).toBe(true)
    expect(isOpen('admitting.recognising', 'admitting.issuingSession')).toBe(false)
  })
})

describe('the XState format', () => {
  it.each([...drawable.values()])('has the transitions of the machine that runs: $id', (chart) => {
    const written = JSON.parse(JSON.stringify(writeMachine(graphOf(chart)))) as Parameters<
      typeof createMachine
    >[0]
    const events = [...new Set(graphOf(chart).edges.map(({ event }) => event))]
    const copy = createMachine(written)
    expect(listTransitions(copy, events)).toEqual(listTransitions(toMachine(chart), events))
    expect(listTransitions(copy, events).length).toBeGreaterThan(graphOf(chart).edges.length / 2)
  })
})

/** Every transition that can be reached, as text. */
function listTransitions(machine: AnyStateMachine, events: readonly string[]): string[] {
  const [begin] = initialTransition(machine)
  const seen = new Map([[JSON.stringify(begin.value), begin]])
  const found: string[] = []
  for (const [name, snapshot] of seen)
    for (const type of events) {
      if (!snapshot.can({ type })) continue
      const [next] = transition(machine, snapshot, { type })
      const to = JSON.stringify(next.value)
      found.push(`${name} ${type} ${to} ${next.status}`)
      if (!seen.has(to) && seen.size < 60) seen.set(to, next)
    }
  return found
}

function overlap([x, y, width, height]: PackedBox, [left, top, wide, high]: PackedBox): boolean {
  return x < left + wide && left < x + width && y < top + high && top < y + height
}
