import type { FlowGraph, FlowNode } from '../../../machines/graph.ts'
import { isHeardInside, mergeEdges, type Arrow } from './arrows.ts'

const classes = [
  'classDef success stroke:#17713f,stroke-width:2px',
  'classDef refusal stroke:#8f5300,stroke-width:2px',
  'classDef fault stroke:#b3261e,stroke-width:2px',
]

/** Writes a flow as a Mermaid state diagram, nested like the chart. */
export function writeMermaid(graph: FlowGraph): string {
  const arrows = mergeEdges(graph)
  const finals = graph.nodes.filter(({ kind }) => kind === 'final')
  return [
    'stateDiagram-v2',
    `accTitle: ${escape(`The flow ${graph.id}`)}`,
    `accDescr: ${escape(graph.description)}`,
    ...classes,
    ...writeLevel(graph, arrows, undefined),
    ...finals.map(({ id }) => `${idOf(id)} --> [*]`),
    ...arrows.filter(isHeardInside).map(writeNote),
    ...finals.map(({ id, ending }) => `class ${idOf(id)} ${ending}`),
  ].join('\n  ')
}

/** Writes the states inside one state, or of the whole flow, with the edges between them. */
function writeLevel(graph: FlowGraph, arrows: readonly Arrow[], parent: FlowNode | undefined): string[] {
  const states = graph.nodes.filter((node) => node.parent === parent?.id)
  const edges = arrows.filter(
    (arrow) => !isHeardInside(arrow) && states.some(({ id }) => id === arrow.source),
  )
  const { initial } = parent ?? graph
  return [
    ...(initial === undefined ? [] : [`[*] --> ${idOf(initial)}`]),
    ...states.flatMap((state) => writeState(graph, arrows, state)),
    ...edges.map(
      ({ source = '', target, events }) => `${idOf(source)} --> ${idOf(target)} : ${stack(events)}`,
    ),
  ]
}

function writeState(graph: FlowGraph, arrows: readonly Arrow[], node: FlowNode): string[] {
  const id = idOf(node.id)
  const head = `state "${escape(node.name)}" as ${id}`
  if (node.kind === 'compound')
    return [`${head} {`, ...writeLevel(graph, arrows, node).map((line) => `  ${line}`), '}']
  return node.step === undefined ? [head] : [head, `${id} : ${escape(node.step)}`]
}

function writeNote({ source, target, events }: Arrow): string {
  const where = source === undefined ? 'in any state' : `in any state of ${source}`
  return `note left of ${idOf(target)} : ${escape(where)}<br/>${stack(events)}`
}

function stack(events: readonly string[]): string {
  return events.map(escape).join('<br/>')
}

/** Reserved words of Mermaid. */
const RESERVED = /^(?:as|class|classDef|click|default|direction|end|hide|href|note|scale|state|style)$/i

/** Returns a unique Mermaid identifier for a state. */
function idOf(place: string): string {
  const id = place.replace(/[^a-z0-9]/gi, (sign) => (sign === '.' ? '_' : `_${sign.codePointAt(0)}_`))
  return RESERVED.test(id) ? `${id}_` : id
}

/** Escapes characters that could end a label, as character codes. */
function escape(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,'’?!()/-]/gu, (sign) => `#${sign.codePointAt(0)};`)
}
