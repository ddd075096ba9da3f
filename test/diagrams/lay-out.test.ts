import { beforeAll, describe, expect, it } from 'vitest'
import { graphOf } from '../../machines/graph.ts'
import { sessionChart } from '../../machines/session.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import type { Box, Point } from '../../src/tools/diagrams/boxes.ts'
import { layOut, type Layout } from '../../src/tools/diagrams/lay-out.ts'
import { hostileChart } from './hostile.ts'
import { layOutAll } from './layouts.ts'
import { findCrossedThings, findOverlaps, listThings, meet, segmentsOf } from './overlaps.ts'

let layouts: readonly Layout[] = []

beforeAll(async () => {
  layouts = [...(await layOutAll()), await layOut(graphOf(hostileChart), await loadEngine())]
}, 120_000)

/** Checks every flow, and names the flow that fails. */
function eachFlow(judge: (layout: Layout) => readonly unknown[]): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    layouts
      .map((layout) => [layout.graph.id, judge(layout)] as const)
      .filter(([, found]) => found.length > 0),
  )
}

describe('a diagram', () => {
  it('exists for every flow', () => {
    expect(layouts).toHaveLength(23)
    expect(layouts.map(({ graph }) => graph.id)).toContain('journey')
  })

  it('has no overlapping labels, states, dots, notes or titles', () => {
    expect(eachFlow((layout) => findOverlaps(listThings(layout)))).toEqual({})
  })

  it('has no line through a state or through another label', () => {
    expect(eachFlow(findCrossedThings)).toEqual({})
  })

  it('has labels on their own lines, and labels of loops next to them', () => {
    expect(
      eachFlow(({ arrows }) =>
        arrows.filter(({ arrow, route, label }) => {
          const reach = arrow.source === arrow.target ? 12 : 0
          const around = {
            x: label.x - reach,
            y: label.y,
            width: label.width + 2 * reach,
            height: label.height,
          }
          return !segmentsOf(route).some((segment) => meet(segment, around))
        }),
      ),
    ).toEqual({})
  })

  it('has horizontal and vertical lines, from the border of one state to the border of another', () => {
    expect(
      eachFlow(({ arrows, states }) => {
        const boxAt = (place: string | undefined) => states.find(({ node }) => node.id === place)?.box
        return arrows.filter(({ arrow, route }) => {
          const [from, to] = [boxAt(arrow.source), boxAt(arrow.target)]
          const inside = arrow.source === undefined || arrow.target.startsWith(`${arrow.source}.`)
          const ends = (inside || isOnBorder(route[0], from)) && isOnBorder(route.at(-1), to)
          const straight = segmentsOf(route).every(({ width, height }) => Math.min(width, height) < 1.5)
          return !ends || !straight
        })
      }),
    ).toEqual({})
  })

  it('contains nested states within their parent, and everything within its size', () => {
    expect(
      eachFlow(({ states, arrows, width, height }) => {
        const boxAt = (place: string | undefined) => states.find(({ node }) => node.id === place)?.box
        const whole = { x: 0, y: 0, width, height }
        return [
          ...states.filter(({ node, box }) => !contains(boxAt(node.parent) ?? whole, box)),
          ...arrows.filter(({ label }) => !contains(whole, label)),
        ]
      }),
    ).toEqual({})
  })

  it('reads from top to bottom: later states are lower, except along back edges', () => {
    expect(
      eachFlow(({ graph, arrows, states }) => {
        const rank = new Map(graph.nodes.map(({ id }, index) => [id, index]))
        const top = new Map(states.map(({ node, box }) => [node.id, box.y]))
        return arrows.filter(({ arrow: { source = '', target } }) => {
          if (target.startsWith(source)) return false
          const goesOn = (rank.get(source) ?? 0) < (rank.get(target) ?? 0)
          return goesOn !== (top.get(source) ?? 0) < (top.get(target) ?? 0)
        })
      }),
    ).toEqual({})
  })

  it('is the same each time, and with another engine', async () => {
    const [first, second] = [await loadEngine(), await loadEngine()]
    const graph = graphOf(sessionChart)
    const again = [await layOut(graph, first), await layOut(graph, first), await layOut(graph, second)]
    const before = layouts.find(({ graph: { id } }) => id === 'session')
    for (const layout of again) expect(layout).toEqual(before)
  })
})

describe('the measure of overlaps', () => {
  const box = { x: 0, y: 0, width: 10, height: 10 }

  it('finds boxes that overlap, and ignores adjacent ones', () => {
    const things = [
      { name: 'a', box },
      { name: 'b', box: { ...box, x: 8, y: 5 } },
      { name: 'c', box: { ...box, x: 18 } },
    ]
    expect(findOverlaps(things)).toEqual(['b overlaps a'])
  })
})

function isOnBorder(point: Point | undefined, box: Box | undefined): boolean {
  if (!point || !box) return false
  const near = (a: number, b: number) => Math.abs(a - b) < 0.5
  const inX = point.x > box.x - 0.5 && point.x < box.x + box.width + 0.5
  const inY = point.y > box.y - 0.5 && point.y < box.y + box.height + 0.5
  const onX = near(point.x, box.x) || near(point.x, box.x + box.width)
  const onY = near(point.y, box.y) || near(point.y, box.y + box.height)
  return inX && inY && (onX || onY)
}

function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}
