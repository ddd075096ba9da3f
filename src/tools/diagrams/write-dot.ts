import type { RequirementId } from '../../../spec/index.ts'
import type { FlowGraph, FlowNode } from '../../../machines/graph.ts'
import { isHeardInside, mergeEdges, type Arrow, type Tone } from './arrows.ts'
import { NOTE } from './lay-out.ts'

export interface DotOptions {
  /** Returns the URL that explains a requirement. Without it, the states are not links. */
  readonly linkTo?: ((id: RequirementId) => string) | undefined
}

type Attributes = Readonly<Record<string, string | number>>

const colours: Readonly<Record<Tone, string>> = {
  progress: '#687385',
  success: '#17713f',
  refusal: '#8f5300',
  fault: '#b3261e',
}

/** Writes a flow in the language of Graphviz, for `dot`. */
export function writeDot(graph: FlowGraph, { linkTo }: DotOptions): string {
  const arrows = mergeEdges(graph)
  return [
    `digraph ${quote(graph.id)} {`,
    `  graph ${list({ label: graph.description, labelloc: 't', compound: 'true', fontname: 'Helvetica', fontsize: 12 })}`,
    `  node ${list({ shape: 'box', style: 'rounded', fontname: 'Helvetica', fontsize: 11, color: '#8d97a5' })}`,
    `  edge ${list({ fontname: 'Helvetica', fontsize: 10, arrowsize: 0.7 })}`,
    ...writeLevel(graph, undefined, linkTo).map((line) => `  ${line}`),
    ...[...new Set(arrows.filter(isHeardInside).map(({ source }) => source))].map(writeNote),
    ...arrows.map((arrow) => `  ${writeArrow(graph, arrow)}`),
    '}',
  ].join('\n')
}

function writeLevel(graph: FlowGraph, parent: FlowNode | undefined, linkTo: DotOptions['linkTo']): string[] {
  const { initial } = parent ?? graph
  const start = quote(startOf(parent?.id))
  const states = graph.nodes
    .filter((node) => node.parent === parent?.id)
    .flatMap((node) =>
      node.kind === 'compound' ? writeCluster(graph, node, linkTo) : [writeState(node, linkTo)],
    )
  if (initial === undefined) return states
  return [
    `${start} ${list({ shape: 'point', width: 0.12, tooltip: 'begins here' })}`,
    ...states,
    `${start} -> ${quote(headOf(graph, initial))} ${list(clipTo(graph, initial, 'lhead'))}`,
  ]
}

function writeCluster(graph: FlowGraph, node: FlowNode, linkTo: DotOptions['linkTo']): string[] {
  return [
    `subgraph ${quote(`cluster:${node.id}`)} {`,
    `  graph ${list({ label: node.name, style: 'rounded', color: '#c9d0d9', ...tip(node, linkTo) })}`,
    ...writeLevel(graph, node, linkTo).map((line) => `  ${line}`),
    '}',
  ]
}

function writeState(node: FlowNode, linkTo: DotOptions['linkTo']): string {
  const label = [node.name, ...(node.step === undefined ? [] : [node.step])].join('\n')
  const colour = node.ending && {
    color: colours[node.ending],
    fontcolor: colours[node.ending],
    peripheries: 2,
  }
  return `${quote(node.id)} ${list({ label, ...tip(node, linkTo), ...colour })}`
}

function tip({ description, spec }: FlowNode, linkTo: DotOptions['linkTo']): Attributes {
  const [first] = spec
  return {
    tooltip: [description, spec.join(' ')].join('\n'),
    ...(first === undefined || !linkTo ? {} : { URL: linkTo(first) }),
  }
}

function writeNote(container: string | undefined): string {
  return `  ${quote(noteOf(container))} ${list({ label: NOTE, style: 'rounded,dotted', fontsize: 9 })}`
}

function writeArrow(graph: FlowGraph, arrow: Arrow): string {
  const { source, target, events, tone } = arrow
  const inside = isHeardInside(arrow)
  const tail = inside || source === undefined ? noteOf(source) : tailOf(graph, source)
  const attributes = {
    label: events.join('\n'),
    color: colours[tone],
    fontcolor: colours[tone],
    style: inside ? 'dotted' : tone === 'fault' ? 'dashed' : 'solid',
    ...(inside || source === undefined ? {} : clipTo(graph, source, 'ltail')),
    ...clipTo(graph, target, 'lhead'),
  }
  return `${quote(tail)} -> ${quote(headOf(graph, target))} ${list(attributes)}`
}

/**
 * Graphviz supports edges between nodes only, so an edge to a compound state leads to its dot and is clipped at its
 * border.
 */
function headOf(graph: FlowGraph, place: string): string {
  return isCompound(graph, place) ? startOf(place) : place
}

/** An edge from a compound state starts at the last state in it. */
function tailOf(graph: FlowGraph, place: string): string {
  const inside = graph.nodes.filter(({ id, kind }) => kind !== 'compound' && id.startsWith(`${place}.`))
  return inside.at(-1)?.id ?? place
}

function clipTo(graph: FlowGraph, place: string, end: 'lhead' | 'ltail'): Attributes {
  return isCompound(graph, place) ? { [end]: `cluster:${place}` } : {}
}

function isCompound({ nodes }: FlowGraph, place: string): boolean {
  return nodes.some(({ id, kind }) => id === place && kind === 'compound')
}

function startOf(container: string | undefined): string {
  return `start:${container ?? ''}`
}

function noteOf(container: string | undefined): string {
  return `note:${container ?? ''}`
}

function list(attributes: Attributes): string {
  const pairs = Object.entries(attributes).map(([name, value]) => `${name}=${quote(String(value))}`)
  return `[${pairs.join(' ')}]`
}

/** Inside quotes, only backslashes and quotes need an escape. */
function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
