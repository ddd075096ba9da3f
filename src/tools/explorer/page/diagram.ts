import type { FlowGraph, FlowNode } from '../../../../machines/graph.ts'
import type { Arrow } from '../../diagrams/arrows.ts'
import type { Point } from '../../diagrams/boxes.ts'
import { drawHead, drawRoute } from '../../diagrams/routes.ts'
import type { PackedBox, PackedRoute, View } from '../data.ts'
import { isOpen, labelOf, textOf, visibleArrows, visibleNodes } from '../fold.ts'
import { svg, type Content } from './dom.ts'

/** The actions of a reader on a diagram. */
export interface DiagramHandlers {
  readonly select: (place: string) => void
  readonly fold: (place: string) => void
}

/** A drawn state. */
export interface DrawnState {
  readonly node: FlowNode
  readonly box: PackedBox
  readonly element: SVGGElement
}

/** A drawn arrow: its line and the label, which is above all lines. */
export interface DrawnArrow {
  readonly arrow: Arrow
  readonly line: SVGPathElement
  readonly parts: readonly SVGGElement[]
}

/** A diagram, with its elements by state and arrow. */
export interface Diagram {
  readonly graph: FlowGraph
  readonly key: string
  readonly view: View
  readonly root: SVGGElement
  readonly states: ReadonlyMap<string, DrawnState>
  readonly arrows: readonly DrawnArrow[]
  /** Empty. A trace adds its elements here. */
  readonly overlay: SVGGElement
}

/** Draws a diagram of a flow with some compound states open. */
export function drawDiagram(graph: FlowGraph, key: string, view: View, handlers: DiagramHandlers): Diagram {
  const nodes = visibleNodes(graph, key)
  const states = new Map(
    nodes.map((node, index) => {
      const box = view.boxes[index] ?? [0, 0, 0, 0]
      return [node.id, { node, box, element: drawState(graph, node, key, box, handlers) }]
    }),
  )
  const arrows = visibleArrows(graph, key).flatMap((arrow, index) => {
    const placed = view.arrows[index]
    return placed ? [drawArrow(arrow, ...placed, depthOf(arrow))] : []
  })
  const isWide = ({ node }: DrawnState) => node.kind === 'compound' && isOpen(key, node.id)
  const all = [...states.values()]
  const overlay = svg('g', { class: 'overlay' })
  const root = svg(
    'g',
    {},
    all.filter(isWide).map(({ element }) => element),
    view.starts.map(([dot, route]) => drawStart(dot, route)),
    arrows.map(({ parts }) => parts[0]),
    view.notes.map(drawNote),
    all.filter((state) => !isWide(state)).map(({ element }) => element),
    arrows.map(({ parts }) => parts[1]),
    overlay,
  )
  return { graph, key, view, root, states, arrows, overlay }
}

function depthOf({ source, target }: Arrow): number {
  const outer = source === undefined || target.startsWith(`${source}.`) ? target : source
  return outer.split('.').length - 1
}

function drawState(
  graph: FlowGraph,
  node: FlowNode,
  key: string,
  [x, y, width, height]: PackedBox,
  { select, fold }: DiagramHandlers,
): SVGGElement {
  const { name, below, exits } = textOf(graph, node, key)
  const isCompound = node.kind === 'compound'
  const isWide = isCompound && isOpen(key, node.id)
  const deep = isCompound && (node.parent !== undefined || !isWide)
  const isCentred = exits.length === 0 && !isCompound
  const left = isCentred ? x + width / 2 : x + 14 + (isCompound ? 22 : 0)
  const heading = isWide ? Math.max(below === undefined ? 18 : 33, exits.length * 15) + 14 : height
  const middle = isCentred ? { 'text-anchor': 'middle' } : {}
  const rows = exits.length * 15
  return svg(
    'g',
    {
      class: ['state', node.kind, deep && 'deep', isWide && 'wide', node.ending].filter(Boolean).join(' '),
      'data-state': node.id,
      role: 'button',
      tabindex: -1,
      click(event) {
        event.stopPropagation()
        select(node.id)
      },
      dblclick(event) {
        event.stopPropagation()
        if (isCompound) fold(node.id)
      },
    },
    svg('title', {}, `${node.name}: ${node.description}`),
    svg('rect', { class: 'box', x, y, width, height, rx: isWide ? 12 : 8 }),
    node.kind === 'final' &&
      svg('rect', { class: 'inner', x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 5.5 }),
    isCompound && graph.initial !== undefined && drawFold(node, isWide, x + 14, y + heading / 2, fold),
    svg(
      'text',
      { class: 'name', x: left, y: y + heading / 2 + (below === undefined ? 4.5 : -3), ...middle },
      name,
    ),
    below !== undefined &&
      svg('text', { class: 'step', x: left, y: y + heading / 2 + 12.5, ...middle }, below),
    exits.map(({ text, tone, target }, index) =>
      svg(
        'text',
        {
          class: `exit ${tone}`,
          'data-exit': target,
          x: x + width - 12,
          y: y + (heading - rows) / 2 + 15 * index + 11.5,
          'text-anchor': 'end',
        },
        text,
      ),
    ),
  )
}

/** The mark that folds and opens a compound state. The keyboard folds with the space bar. */
function drawFold({ id }: FlowNode, isWide: boolean, x: number, y: number, fold: DiagramHandlers['fold']) {
  const click = (event: Event) => {
    event.stopPropagation()
    fold(id)
  }
  return svg(
    'g',
    { class: 'fold', click },
    svg('rect', { x: x - 4, y: y - 12, width: 24, height: 24, rx: 6 }),
    svg('path', { d: isWide ? `M${x + 3} ${y - 2}l5 5 5-5` : `M${x + 6} ${y - 5}l5 5-5 5` }),
  )
}

function drawArrow(arrow: Arrow, route: PackedRoute, label: PackedBox, depth: number): DrawnArrow {
  const { tone, source } = arrow
  const points = unpack(route)
  const kind = `arrow ${tone}${source === undefined ? ' anywhere' : ''}`
  const [x, y, width, height] = label
  const line = svg('path', { class: 'line', d: drawRoute(points) })
  const ground = ['', ' well', ' deep'][Math.min(depth, 2)]
  return {
    arrow,
    line,
    parts: [
      svg('g', { class: kind }, line, svg('path', { class: 'head', d: drawHead(points) })),
      svg(
        'g',
        { class: kind },
        svg('rect', { class: `plate${ground}`, x, y, width, height, rx: 4 }),
        labelOf(arrow).map((event, index) =>
          svg(
            'text',
            { 'data-event': event, x: x + width / 2, y: y + 13 + index * 15, 'text-anchor': 'middle' },
            event,
          ),
        ),
      ),
    ],
  }
}

function drawStart([x, y, width]: PackedBox, route: PackedRoute): Content {
  const radius = width / 2
  return svg(
    'g',
    { class: 'start' },
    svg('circle', { cx: x + radius, cy: y + radius, r: radius - 1 }),
    svg('path', { class: 'line', d: drawRoute(unpack(route)) }),
    svg('path', { class: 'head', d: drawHead(unpack(route)) }),
  )
}

function drawNote([x, y, width, height]: PackedBox): Content {
  return svg(
    'g',
    { class: 'note' },
    svg('rect', { x, y, width, height, rx: 9 }),
    svg('text', { x: x + width / 2, y: y + height / 2 + 3.5, 'text-anchor': 'middle' }, 'in any state'),
  )
}

function unpack(route: PackedRoute): Point[] {
  return route.flatMap((x, index) => (index % 2 === 0 ? [{ x, y: route[index + 1] ?? 0 }] : []))
}
