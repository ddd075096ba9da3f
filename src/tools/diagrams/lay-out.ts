import type { ElkNode } from 'elkjs/lib/elk-api.js'
import type { FlowGraph, FlowNode } from '../../../machines/graph.ts'
import { type Arrow, isHeardInside, mergeEdges } from './arrows.ts'
import { type Box, type Point, type Size, sizeLabel, sizeState } from './boxes.ts'
import {
  boxOf,
  find,
  findBackward,
  flatten,
  fromRoot,
  layered,
  noteId,
  routeOf,
  startEdges,
  startSize,
  stateId,
  toElkEdge,
} from './elk-graph.ts'
import { noNotes, type Notes, writeEvent } from './marks.ts'

/** Computes the coordinates of a graph, like `layout` of elkjs. Equal graphs get equal coordinates. */
export type LayoutEngine = (graph: ElkNode) => Promise<ElkNode>

/** A state with its position on the diagram. */
export interface PlacedState {
  readonly node: FlowNode
  readonly box: Box
}

/** An arrow with the corners of its route and the box of its stacked events. */
export interface PlacedArrow {
  readonly arrow: Arrow
  readonly route: readonly Point[]
  readonly label: Box
}

/** The dot that marks an initial state. */
export interface PlacedStart {
  readonly box: Box
  readonly route: readonly Point[]
}

/** A graph with coordinates. Parent states come before their children. */
export interface Layout extends Size {
  readonly graph: FlowGraph
  readonly states: readonly PlacedState[]
  readonly arrows: readonly PlacedArrow[]
  readonly starts: readonly PlacedStart[]
  /** The notes at which arrows of every state start. */
  readonly notes: readonly Box[]
}

/** The text of the note. */
export const NOTE = 'in any state'

/** The layout options of one level. Nested levels do not inherit them. */
const level = {
  ...layered,
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.labelLabel': '8',
  'elk.layered.spacing.nodeNodeBetweenLayers': '22',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
}

const whole = {
  ...level,
  ...fromRoot,
  'elk.padding': '[top=20,left=20,bottom=20,right=20]',
}

/** Places regions from left to right, in the order of the chart. */
const inOrder = { 'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES' }

/** Places the states and arrows of a graph, with room for notes. */
export async function layOut(
  graph: FlowGraph,
  engine: LayoutEngine,
  notes: Notes = noNotes,
): Promise<Layout> {
  const arrows = mergeEdges(graph)
  const isBackward = findBackward(graph)
  const root = await engine({
    id: 'root',
    layoutOptions: { ...whole, ...(graph.initial === undefined && inOrder) },
    children: childrenOf(graph, arrows, notes, undefined),
    edges: [
      ...startEdges(startsOf(graph)),
      ...arrows.map((arrow, index) => toElkEdge(arrow, index, isBackward(arrow), sizeArrow(arrow, notes))),
    ],
  })
  const boxes = new Map(flatten(root).map((node) => [node.id, boxOf(node)]))
  const edges = new Map((root.edges ?? []).map((edge) => [edge.id, edge]))
  return {
    graph,
    width: Math.ceil(root.width ?? 0),
    height: Math.ceil(root.height ?? 0),
    states: graph.nodes.map((node) => ({ node, box: find(boxes, stateId(node.id)) })),
    arrows: arrows.map((arrow, index) => {
      const edge = find(edges, `arrow:${index}`)
      const route = routeOf(edge)
      return {
        arrow,
        route: isBackward(arrow) ? route.toReversed() : route,
        label: boxOf(edge.labels?.[0] ?? {}),
      }
    }),
    starts: startsOf(graph).map((id) => ({
      box: find(boxes, `start:${id}`),
      route: routeOf(find(edges, `begin:${id}`)),
    })),
    notes: [...boxes].flatMap(([id, box]) => (id.startsWith('note:') ? [box] : [])),
  }
}

function childrenOf(
  graph: FlowGraph,
  arrows: readonly Arrow[],
  notes: Notes,
  parent: FlowNode | undefined,
): ElkNode[] {
  const { initial } = parent ?? graph
  const isNoted = arrows.some((arrow) => isHeardInside(arrow) && arrow.source === parent?.id)
  return [
    ...(isNoted ? [{ id: noteId(parent?.id), ...sizeLabel([NOTE]) }] : []),
    ...(initial === undefined ? [] : [{ id: `start:${initial}`, ...startSize }]),
    ...graph.nodes
      .filter((node) => node.parent === parent?.id)
      .map((node) => toElkNode(graph, arrows, notes, node)),
  ]
}

function toElkNode(graph: FlowGraph, arrows: readonly Arrow[], notes: Notes, node: FlowNode): ElkNode {
  const { width, height } = sizeState(node, notes.state(node))
  const id = stateId(node.id)
  if (node.initial === undefined) return { id, width, height }
  return {
    id,
    layoutOptions: {
      ...level,
      'elk.padding': `[top=${height + 4},left=18,bottom=18,right=18]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${height})`,
    },
    children: childrenOf(graph, arrows, notes, node),
  }
}

function startsOf(graph: FlowGraph): string[] {
  return [graph, ...graph.nodes].flatMap(({ initial }) => initial ?? [])
}

/** Returns the size of an arrow's label. */
function sizeArrow(arrow: Arrow, notes: Notes): Size {
  const written = arrow.events.map((event) => writeEvent(event, notes.event(arrow, event)))
  return sizeLabel(written, notes.eventFace)
}

/**
 * Loads elkjs, which only diagrams need.
 * @returns undefined if it is not installed
 */
export async function findEngine(): Promise<LayoutEngine | undefined> {
  const elkjs = await import('elkjs/lib/elk.bundled.js').catch(() => undefined)
  if (!elkjs) return undefined
  const elk = new elkjs.default.default()
  return (graph) => elk.layout(graph)
}
