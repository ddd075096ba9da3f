import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { FlowGraph } from '../../../machines/graph.ts'
import { type Arrow, isHeardInside } from './arrows.ts'
import type { Box, Point, Size } from './boxes.ts'

/** Layout options of every level: layers from top to bottom. */
export const layered = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.spacing.edgeLabel': '4',
}

/** Layout options of a whole graph, whose coordinates all have the same origin. */
export const fromRoot = {
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  // Of several layouts, the one with the fewest crossings is used.
  'elk.randomSeed': '4',
}

/** The size of the dot that marks an initial state, in px. */
export const startSize = { width: 12, height: 12 }

/** The id of the node of a state. */
export function stateId(place: string): string {
  return `state:${place}`
}

/** The id of the note at which arrows of every state inside a container start. */
export function noteId(container: string | undefined): string {
  return `note:${container ?? ''}`
}

/** Returns whether an arrow leads to an earlier state of the graph. */
export function findBackward(graph: FlowGraph): (arrow: Arrow) => boolean {
  const rank = new Map(graph.nodes.map(({ id }, index) => [id, index]))
  return ({ source, target }) => (rank.get(source ?? '') ?? -1) > (rank.get(target) ?? -1)
}

/** Returns the edges from the dots that mark initial states. */
export function startEdges(initial: readonly string[]): ElkExtendedEdge[] {
  return initial.map((id) => ({ id: `begin:${id}`, sources: [`start:${id}`], targets: [stateId(id)] }))
}

/**
 * An edge to an earlier state is reversed for the layout, so that the diagram reads from top to bottom and the
 * direction of a cycle is deterministic.
 */
export function toElkEdge(arrow: Arrow, index: number, isBackward: boolean, label: Size): ElkExtendedEdge {
  const from = isHeardInside(arrow) ? noteId(arrow.source) : stateId(arrow.source ?? '')
  const to = stateId(arrow.target)
  return {
    id: `arrow:${index}`,
    sources: [isBackward ? to : from],
    targets: [isBackward ? from : to],
    // The main path is a straight line if possible, with final states beside it.
    layoutOptions: { 'elk.layered.priority.straightness': arrow.tone === 'progress' ? '10' : '1' },
    // A label without text would not be positioned.
    labels: [
      { text: arrow.events.join(' '), ...label, layoutOptions: { ...(isBackward ? atHead : atTail) } },
    ],
  }
}

const atTail = {
  'elk.edgeLabels.inline': 'true',
  'elk.layered.edgeLabels.centerLabelPlacementStrategy': 'TAIL_LAYER',
}
const atHead = { ...atTail, 'elk.layered.edgeLabels.centerLabelPlacementStrategy': 'HEAD_LAYER' }

/** Returns all nodes inside a node. */
export function flatten(node: ElkNode): ElkNode[] {
  return (node.children ?? []).flatMap((child) => [child, ...flatten(child)])
}

/** Returns the box of a node or label. */
export function boxOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Box>): Box {
  return { x, y, width, height }
}

/** Returns the corners of an edge. */
export function routeOf(edge: ElkExtendedEdge): Point[] {
  return (edge.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ])
}

/** Returns a part of the layout. @throws Error if there is none with this id */
export function find<T>(map: ReadonlyMap<string, T>, id: string): T {
  const found = map.get(id)
  if (found === undefined) throw new Error(`the layout lost ${id}`)
  return found
}
