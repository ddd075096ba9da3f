import type { Box, Point } from '../../src/tools/diagrams/boxes.ts'
import type { Layout } from '../../src/tools/diagrams/lay-out.ts'

/** An element of a diagram that takes up space, with a name for error messages. */
interface Thing {
  readonly name: string
  readonly box: Box
}

/** All elements of a diagram that must not overlap: simple states, labels, dots, notes and titles. */
export function listThings({ states, arrows, starts, notes }: Layout): readonly Thing[] {
  return [
    ...states.flatMap(({ node, box }) => (node.kind === 'compound' ? [] : [{ name: node.id, box }])),
    ...states.flatMap(({ node, box }) =>
      node.kind === 'compound' ? [{ name: `title of ${node.id}`, box: { ...box, height: TITLE } }] : [],
    ),
    ...arrows.map(({ arrow, label }) => ({ name: `${arrow.source}: ${arrow.events.join()}`, box: label })),
    ...starts.map(({ box }, index) => ({ name: `start ${index}`, box })),
    ...notes.map((box, index) => ({ name: `note ${index}`, box })),
  ]
}

/** The name of a compound state and its first row of requirements, in px. */
const TITLE = 40

/** Describes each two elements that overlap. */
export function findOverlaps(things: readonly Thing[]): string[] {
  return things.flatMap((one, index) =>
    things
      .slice(0, index)
      .flatMap((other) => (meet(one.box, other.box) ? [`${one.name} overlaps ${other.name}`] : [])),
  )
}

/** Describes each line that runs through a state or another label. */
export function findCrossedThings(layout: Layout): string[] {
  const things = listThings(layout).filter(({ name }) => !name.startsWith('title of '))
  return layout.arrows.flatMap(({ arrow, label, route }) =>
    things
      .filter(({ box }) => box !== label && segmentsOf(route).some((segment) => meet(segment, box)))
      .map(({ name }) => `${arrow.source} to ${arrow.target} runs through ${name}`),
  )
}

/** The straight segments of a route, as boxes that are as wide as a line. */
export function segmentsOf(route: readonly Point[]): readonly Box[] {
  return route.slice(1).map((to, index) => {
    const from = route[index] ?? to
    return {
      x: Math.min(from.x, to.x) - LINE / 2,
      y: Math.min(from.y, to.y) - LINE / 2,
      width: Math.abs(from.x - to.x) + LINE,
      height: Math.abs(from.y - to.y) + LINE,
    }
  })
}

/** The width of a line in px. It touches the states that it connects. */
const LINE = 1
const TOUCH = 1

/** Whether two boxes share more than a border. */
export function meet(one: Box, other: Box): boolean {
  return (
    one.x + TOUCH < other.x + other.width &&
    other.x + TOUCH < one.x + one.width &&
    one.y + TOUCH < other.y + other.height &&
    other.y + TOUCH < one.y + one.height
  )
}
