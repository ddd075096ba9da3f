import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { FlowGraph, FlowNode } from '../../machines/graph.ts'
import { type Arrow, isHeardInside } from '../../src/tools/diagrams/arrows.ts'
import {
  type Box,
  faces,
  lines,
  measureText,
  padding,
  type Point,
  sizeLabel,
} from '../../src/tools/diagrams/boxes.ts'
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
} from '../../src/tools/diagrams/elk-graph.ts'
import { type LayoutEngine, NOTE } from '../../src/tools/diagrams/lay-out.ts'
import type { PackedBox, View } from '../../src/tools/explorer/data.ts'
import { isOpen, labelOf, textOf, visibleArrows, visibleNodes } from '../../src/tools/explorer/fold.ts'

const MARGIN = 20

/** The space between a name and its exits. */
const GAP = 22

const level = {
  ...layered,
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.labelLabel': '6',
  'elk.layered.spacing.nodeNodeBetweenLayers': '10',
  'elk.layered.spacing.edgeNodeBetweenLayers': '8',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '9',
}

const whole = {
  ...level,
  ...fromRoot,
  'elk.padding': `[top=${MARGIN},left=${MARGIN},bottom=${MARGIN},right=${MARGIN}]`,
}

/** Places regions, which no arrow connects, in rows. */
const packed = {
  'elk.algorithm': 'rectpacking',
  'elk.hierarchyHandling': 'SEPARATE_CHILDREN',
  'elk.aspectRatio': '1.3',
  'elk.contentAlignment': 'V_CENTER H_CENTER',
}

/** Places the states and arrows of a diagram. The refusals and faults are in a separate column. */
export async function layOutView(graph: FlowGraph, key: string, engine: LayoutEngine): Promise<View> {
  const nodes = visibleNodes(graph, key)
  const arrows = visibleArrows(graph, key)
  const isBackward = findBackward(graph)
  const starts = [graph.initial, ...nodes.map(({ id, initial }) => (isOpen(key, id) ? initial : undefined))]
  const begun = starts.filter((id) => id !== undefined)
  const root = await engine({
    id: 'root',
    layoutOptions: graph.initial === undefined ? { ...whole, ...packed } : whole,
    children: childrenOf(graph, key, nodes, arrows, undefined),
    edges: [
      ...startEdges(begun),
      ...arrows.map((arrow, index) => toElkEdge(arrow, index, isBackward(arrow), sizeLabel(labelOf(arrow)))),
    ],
  })
  const placed = new Map(flatten(root).map((node) => [node.id, boxOf(node)]))
  const edges = new Map((root.edges ?? []).map((edge) => [edge.id, edge]))
  const ends = placeEnds(graph, key, nodes.filter(isSide), Math.ceil(root.width ?? 0))
  return {
    size: [ends.width, Math.max(Math.ceil(root.height ?? 0), ends.height)],
    boxes: nodes.map((node) =>
      isSide(node) ? find(ends.boxes, node.id) : pack(find(placed, stateId(node.id))),
    ),
    arrows: arrows.map((arrow, index) => {
      const edge = find(edges, `arrow:${index}`)
      const route = toRoute(edge)
      return [
        (isBackward(arrow) ? route.toReversed() : route).flatMap(({ x, y }) => [x, y]),
        pack(edge.labels?.[0] ?? {}),
      ]
    }),
    starts: begun.map((id) => [
      pack(find(placed, `start:${id}`)),
      toRoute(find(edges, `begin:${id}`)).flatMap(({ x, y }) => [x, y]),
    ]),
    notes: [...placed].flatMap(([id, box]) => (id.startsWith('note:') ? [pack(box)] : [])),
  }
}

/** Only the boxes of other states name them, so they need no lines. */
function isSide({ ending }: FlowNode): boolean {
  return ending === 'refusal' || ending === 'fault'
}

function placeEnds(graph: FlowGraph, key: string, ends: readonly FlowNode[], from: number) {
  const sizes = ends.map((node) => ({ id: node.id, ...sizeBox(graph, node, key) }))
  const width = Math.max(0, ...sizes.map((size) => size.width))
  const boxes = new Map<string, PackedBox>()
  let y = MARGIN
  for (const { id, height } of sizes) {
    boxes.set(id, [from + 12, y, width, height])
    y += height + 10
  }
  return { boxes, width: ends.length === 0 ? from : from + 12 + width + MARGIN, height: y - 10 + MARGIN }
}

function childrenOf(
  graph: FlowGraph,
  key: string,
  nodes: readonly FlowNode[],
  arrows: readonly Arrow[],
  parent: FlowNode | undefined,
): ElkNode[] {
  const { initial } = parent ?? graph
  const isNoted = arrows.some((arrow) => isHeardInside(arrow) && arrow.source === parent?.id)
  return [
    ...(isNoted ? [{ id: noteId(parent?.id), ...sizeLabel([NOTE]) }] : []),
    ...(initial === undefined ? [] : [{ id: `start:${initial}`, ...startSize }]),
    ...nodes
      .filter((node) => node.parent === parent?.id && !isSide(node))
      .map((node): ElkNode => {
        const { width, height } = sizeBox(graph, node, key)
        const id = stateId(node.id)
        if (!isOpen(key, node.id) || node.kind !== 'compound') return { id, width, height }
        return {
          id,
          layoutOptions: {
            ...level,
            'elk.padding': `[top=${height + 2},left=14,bottom=14,right=14]`,
            'elk.nodeSize.constraints': 'MINIMUM_SIZE',
            'elk.nodeSize.minimum': `(${width},${height})`,
          },
          children: childrenOf(graph, key, nodes, arrows, node),
        }
      }),
  ]
}

/** Returns the size of the box of a state, or of the heading of an open one, in px. */
function sizeBox(graph: FlowGraph, node: FlowNode, key: string) {
  const { name, below, exits } = textOf(graph, node, key)
  const fold = node.kind === 'compound' ? 22 : 0
  const left = Math.max(
    measureText(name, faces.name) + fold,
    below === undefined ? 0 : measureText(below, faces.step),
  )
  const right = Math.max(0, ...exits.map(({ text }) => measureText(text, faces.step)))
  const rows = Math.max(lines.name + (below === undefined ? 0 : lines.step), exits.length * lines.step)
  return { width: left + (right > 0 ? right + GAP : 0) + 2 * padding.x, height: rows + 14 }
}

function pack({ x = 0, y = 0, width = 0, height = 0 }: Partial<Box>): PackedBox {
  return [Math.round(x), Math.round(y), Math.round(width), Math.round(height)]
}

function toRoute(edge: ElkExtendedEdge): Point[] {
  return routeOf(edge).map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }))
}
