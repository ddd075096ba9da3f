import { type ComponentChild, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { FlowGraph, FlowNode } from '../../../machines/graph.ts'
import { requirement, type RequirementId } from '../../../spec/index.ts'
import { mergeEdges } from './arrows.ts'
import {
  type Box,
  faces,
  GAP,
  lines,
  measureText,
  padding,
  type Point,
  rowsOf,
  sizeState,
  widthOf,
} from './boxes.ts'
import { type Layout, NOTE, type PlacedArrow, type PlacedStart, type PlacedState } from './lay-out.ts'
import { drawLegend, listEntries, sizeLegend } from './legend.ts'
import { type Mark, type Marks, noNotes, type Notes, notesOf, writeEvent } from './marks.ts'
import { drawHead, drawRoute, round } from './routes.ts'

const light = `--paper:#fff;--well:#f5f7f9;--deep:#eceff3;--box:#fff;--ink:#1b2430;--muted:#566173;
--edge:#8d97a5;--line:#687385;--rim:#c9d0d9;--success:#17713f;--success-box:#eaf6ef;
--refusal:#8f5300;--refusal-box:#fdf3e1;--fault:#b3261e;--fault-box:#fcecea`

const dark = `--paper:#10151b;--well:#171e27;--deep:#1f2833;--box:#222c38;--ink:#e8edf3;--muted:#a3afbd;
--edge:#68758a;--line:#93a0b1;--rim:#344050;--success:#5fd093;--success-box:#143022;
--refusal:#eeb256;--refusal-box:#362910;--fault:#ff938a;--fault-box:#3d1b19`

/**
 * The style of a diagram, light or dark like the reader's browser. It applies only inside an element of class `flow`,
 * so a page may contain several diagrams.
 */
export const svgStyle = `.flow{color-scheme:light dark;${light}}
@media(prefers-color-scheme:dark){.flow{${dark}}}
.flow text{font-family:ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Open Sans',sans-serif;
fill:var(--ink);font-size:11px}
.flow .paper{fill:var(--paper)}
.flow .heading{font-size:17px;font-weight:600}
.flow .lead,.flow .step,.flow .legend text{fill:var(--muted)}
.flow .lead{font-size:12px}
.flow .name{font-size:13px;font-weight:600}
.flow .box{fill:var(--box);stroke:var(--edge);stroke-width:1.2}
.flow .inner{fill:none;stroke:var(--edge);stroke-width:1}
.flow .compound>.box{fill:var(--well);stroke:var(--rim)}
.flow .compound.deep>.box{fill:var(--deep)}
.flow .requirement text{font-size:9.5px;fill:var(--muted)}
.flow .requirement:hover text,.flow .requirement:focus text{fill:var(--ink);text-decoration:underline}
.flow .line{fill:none;stroke:var(--line);stroke-width:1.3}
.flow .head{fill:var(--line)}
.flow .start circle{fill:var(--ink)}
.flow .plate{fill:var(--paper)}
.flow .plate.well{fill:var(--well)}
.flow .plate.deep{fill:var(--deep)}
.flow .success>.box,.flow .success>.inner,.flow .success>.line{stroke:var(--success)}
.flow .refusal>.box,.flow .refusal>.inner,.flow .refusal>.line{stroke:var(--refusal)}
.flow .fault>.box,.flow .fault>.inner,.flow .fault>.line{stroke:var(--fault)}
.flow .success>.box{fill:var(--success-box)}
.flow .refusal>.box{fill:var(--refusal-box)}
.flow .fault>.box{fill:var(--fault-box)}
.flow .success>.head{fill:var(--success)}
.flow .refusal>.head{fill:var(--refusal)}
.flow .fault>.head{fill:var(--fault)}
.flow .success>.name,.flow .arrow.success text{fill:var(--success)}
.flow .refusal>.name,.flow .arrow.refusal text{fill:var(--refusal)}
.flow .fault>.name,.flow .arrow.fault text{fill:var(--fault)}
.flow .fault>.line{stroke-dasharray:5 3}
.flow .note rect{fill:none;stroke:var(--edge);stroke-dasharray:2 3}
.flow .note text{fill:var(--muted);font-style:italic}
.flow .anywhere>.line{stroke-width:1;stroke-dasharray:2 3}`

/** Describes a flow in words for screen readers: every state and every edge in one sentence, with their notes. */
function describeFlow(graph: FlowGraph, notes: Notes = noNotes): string {
  return [
    `${endSentence(graph.description)} ${graph.initial === undefined ? 'All regions are active at once' : `Begins in ${graph.initial}`}.`,
    ...graph.nodes.map((node) => {
      const note = notes.state(node)
      return `${node.id}${describeKind(node)}${note === undefined ? '' : ` (${note})`}: ${endSentence(node.description)}`
    }),
    ...mergeEdges(graph).map((arrow) => {
      const { source, events, target } = arrow
      const written = events.map((event) => writeEvent(event, notes.event(arrow, event)))
      return `${source === undefined ? 'In any state' : `In ${source}`}, ${written.join(' or ')} leads to ${target}.`
    }),
  ].join('\n')
}

/** Describes the kind of a state, after its name. */
function describeKind({ kind, step, ending, initial }: FlowNode): string {
  switch (kind) {
    case 'working':
      return ` runs ${step}`
    case 'compound':
      return ` begins in ${initial}`
    case 'final':
      return ` is an end, a ${ending}`
    case 'resting':
      return ''
  }
}

function endSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

export interface SvgOptions {
  /** Returns the URL that explains a requirement. Without it, the ids are not links. */
  readonly linkTo?: ((id: RequirementId) => string) | undefined
  /**
   * The ARIA role. `img` for a separate image, which screen readers replace with its text. In a page, `document` keeps
   * its links reachable. @default 'img'
   */
  readonly role?: 'img' | 'document'
  /** The marks of a trace or of coverage, for a layout with room for them. */
  readonly marks?: Marks | undefined
  /** Whether the diagram contains its style. If not, the page must. @default true */
  readonly styled?: boolean
}

const MARGIN = 20
const HEADER = 62

/** Writes a diagram as an SVG document. Equal layouts give equal bytes. */
export function drawSvg(layout: Layout, options: SvgOptions): string {
  return `${renderToString(createSvg(layout, options)).replace(/<(?=g[ >]|\/svg|style|desc|title id)/g, '\n<')}\n`
}

/** Creates a diagram as an element of a page. */
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
  // The room of a missing note is divided above and below.
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
