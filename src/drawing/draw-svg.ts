import { h, type ComponentChild } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { requirement, type RequirementId } from '../../spec/index.ts'
import { GAP, faces, lines, padding, rowsOf, sizeState, widthOf, type Box, type Point } from './boxes.ts'
import { describeFlow } from './describe-flow.ts'
import { drawLegend, listEntries, sizeLegend } from './legend.ts'
import { NOTE, type Layout, type PlacedArrow, type PlacedStart, type PlacedState } from './lay-out.ts'
import { notesOf, type Mark, type Marks } from './marks.ts'
import { measureText } from './measure-text.ts'
import { drawHead, drawRoute, round } from './route.ts'
import { svgStyle } from './svg-style.ts'

export interface SvgOptions {
  /** Where a requirement is explained. Without it, the ids are no links. */
  readonly linkTo?: ((id: RequirementId) => string) | undefined
  /**
   * `img` for a drawing that stands alone: its text takes its place for whoever does not see it. In a page, `document`
   * keeps the links in it reachable.
   * @default 'img'
   */
  readonly role?: 'img' | 'document'
  /** What happened in the flow, on a layout that has room for it. */
  readonly marks?: Marks | undefined
  /**
   * Does the drawing bring its style, or has the page that it is put into?
   * @default true
   */
  readonly styled?: boolean
}

const MARGIN = 20
const HEADER = 62

/** A drawing as an SVG document. Equal layouts give equal bytes. */
export function drawSvg(layout: Layout, options: SvgOptions): string {
  return `${renderToString(createSvg(layout, options)).replace(/<(?=g[ >]|\/svg|style|desc|title id)/g, '\n<')}\n`
}

/** A drawing as an element, to be put into a page. */
export function createSvg(layout: Layout, { linkTo, role = 'img', marks, styled = true }: SvgOptions) {
  const { graph } = layout
  const heading = measureText(graph.description, { size: 12 }) + 2 * MARGIN
  const width = Math.max(layout.width, heading)
  const legend = sizeLegend(listEntries(graph, marks), width - 2 * MARGIN)
  const height = HEADER + layout.height + legend.height + MARGIN
  const [title, text] = [`${graph.id}-title`, `${graph.id}-text`]
  return h(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: marks ? `flow ${marks.name}` : 'flow',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: role === 'img' ? role : 'graphics-document document',
      'aria-labelledby': title,
      'aria-describedby': text,
    },
    [
      h('title', { id: title }, `The flow ${graph.id}`),
      h('desc', { id: text }, describeFlow(graph, marks && notesOf(marks))),
      styled && h('style', { dangerouslySetInnerHTML: { __html: svgStyle + (marks?.style ?? '') } }),
      h('rect', { class: 'paper', width, height, rx: 12 }),
      h('text', { class: 'heading', x: MARGIN, y: 34 }, graph.id),
      h('text', { class: 'lead', x: MARGIN, y: 54 }, graph.description),
      h('g', { transform: `translate(${round((width - layout.width) / 2)} ${HEADER})` }, [
        layout.states.filter(isCompound).map((state) => drawState(state, linkTo, marks)),
        layout.starts.map(drawStart),
        layout.arrows.map((arrow) => drawLine(arrow, marks)),
        layout.states.filter((state) => !isCompound(state)).map((state) => drawState(state, linkTo, marks)),
        layout.notes.map(drawNote),
        layout.arrows.map((arrow) => drawLabel(arrow, layout.states, marks)),
      ]),
      drawLegend({ x: MARGIN, y: HEADER + layout.height + 4 }, legend),
    ],
  )
}

function isCompound({ node }: PlacedState): boolean {
  return node.kind === 'compound'
}

function drawState({ node, box }: PlacedState, linkTo: SvgOptions['linkTo'], marks?: Marks): ComponentChild {
  const mark = marks?.state(node)
  const left = node.kind === 'compound'
  const depth = node.parent === undefined ? undefined : 'deep'
  const x = left ? box.x + padding.x : box.x + box.width / 2
  // Room for a note that there is none to write in is shared above and below.
  const spare = left ? 0 : box.height - sizeState(node, mark?.note).height
  let y = box.y + padding.y + spare / 2
  const line = (height: number) => round((y += height) - height / 2 + 3.5)
  return h(
    'g',
    { class: join('state', node.kind, left && depth, node.ending, mark?.look), 'data-state': node.id },
    [
      h('title', {}, [node.description, ...node.spec.map(explain)].join('\n')),
      h('rect', { class: 'box', ...rect(box), rx: left ? 12 : 8 }),
      node.kind === 'final' && h('rect', { class: 'inner', ...rect(shrink(box, 3)), rx: 5.5 }),
      h('text', { class: 'name', x: round(x), y: line(lines.name), ...(left ? {} : middle) }, node.name),
      node.step !== undefined &&
        h('text', { class: 'step', x: round(x), y: line(lines.step), ...middle }, node.step),
      mark?.note !== undefined &&
        h('text', { class: 'note', x: round(x), y: line(lines.note), ...(left ? {} : middle) }, mark.note),
      rowsOf(node).map((row) =>
        drawIds(row, left ? x : x - widthOf(row) / 2, line(lines.requirement), linkTo),
      ),
    ],
  )
}

const middle = { 'text-anchor': 'middle' }

function drawIds(
  row: readonly RequirementId[],
  from: number,
  y: number,
  linkTo: SvgOptions['linkTo'],
): ComponentChild[] {
  let x = from
  return row.map((id) => {
    const width = measureText(id, faces.requirement)
    const text = h('text', { x: round(x + width / 2), y, ...middle }, id)
    x += width + GAP
    return h('a', { class: 'requirement', href: linkTo?.(id) }, [h('title', {}, explain(id)), text])
  })
}

function explain(id: RequirementId): string {
  return `${id}: ${requirement(id).says}`
}

function drawStart({ box, route }: PlacedStart): ComponentChild {
  const radius = box.width / 2
  return h('g', { class: 'start' }, [
    h('circle', { cx: round(box.x + radius), cy: round(box.y + radius), r: radius - 1 }),
    h('path', { class: 'line', d: drawRoute(route) }),
    h('path', { class: 'head', d: drawHead(route) }),
  ])
}

function drawLine({ arrow, route }: PlacedArrow, marks?: Marks): ComponentChild {
  return h('g', { class: join(classOf(arrow), marks?.arrow(arrow)), ...endsOf(arrow) }, [
    h('path', { class: 'line', d: drawRoute(route) }),
    h('path', { class: 'head', d: drawHead(route) }),
  ])
}

function drawLabel(
  { arrow, label }: PlacedArrow,
  states: readonly PlacedState[],
  marks?: Marks,
): ComponentChild {
  const around = states.filter(({ node, box }) => node.kind === 'compound' && holds(box, label))
  const ground = ['', ' well', ' deep'][Math.min(around.length, 2)]
  const x = round(label.x + label.width / 2)
  return h('g', { class: join(classOf(arrow), marks?.arrow(arrow)), ...endsOf(arrow) }, [
    h('rect', { class: `plate${ground}`, ...rect(label), rx: 4 }),
    arrow.events.map((event, index) => {
      const y = round(label.y + 2 + (index + 0.5) * lines.event + 3.5)
      return drawEvent(event, { x, y }, marks?.event(arrow, event))
    }),
  ])
}

function drawEvent(event: string, at: Point, mark: Mark | undefined): ComponentChild {
  const note = mark?.note === undefined ? [] : [' ', h('tspan', { class: 'note' }, mark.note)]
  const look = mark && { class: mark.look }
  return h('text', { ...at, ...middle, ...look, 'data-event': event }, [event, ...note])
}

function endsOf({ source, target }: PlacedArrow['arrow']) {
  return { 'data-source': source, 'data-target': target }
}

function join(...classes: readonly (string | false | undefined)[]): string {
  return classes.filter(Boolean).join(' ')
}

function classOf({ source, tone }: PlacedArrow['arrow']): string {
  return `arrow ${tone}${source === undefined ? ' anywhere' : ''}`
}

function drawNote(box: Box): ComponentChild {
  return h('g', { class: 'note' }, [
    h('rect', { ...rect(box), rx: 9 }),
    h('text', { x: round(box.x + box.width / 2), y: round(box.y + box.height / 2 + 3.5), ...middle }, NOTE),
  ])
}

function rect({ x, y, width, height }: Box) {
  return { x: round(x), y: round(y), width: round(width), height: round(height) }
}

function shrink({ x, y, width, height }: Box, by: number): Box {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by }
}

function holds(outer: Box, inner: Box): boolean {
  const [x, y] = [inner.x + inner.width / 2, inner.y + inner.height / 2]
  return outer.x < x && x < outer.x + outer.width && outer.y < y && y < outer.y + outer.height
}
