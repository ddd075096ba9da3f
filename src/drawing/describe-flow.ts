import type { FlowGraph, FlowNode } from '../../machines/graph.ts'
import { mergeEdges } from './arrows.ts'

/** A flow in words, for who cannot see its drawing: every state and every edge, a sentence each. */
export function describeFlow(graph: FlowGraph): string {
  return [
    `${endSentence(graph.description)} Begins in ${graph.initial}.`,
    ...graph.nodes.map((node) => `${node.id}${describeKind(node)}: ${endSentence(node.description)}`),
    ...mergeEdges(graph).map(
      ({ source, events, target }) =>
        `${source === undefined ? 'In any state' : `In ${source}`}, ${events.join(' or ')} leads to ${target}.`,
    ),
  ].join('\n')
}

/** What kind of state it is, behind its name. */
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
