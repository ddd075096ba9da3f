import type { FlowGraph, FlowNode } from '../../machines/graph.ts'
import { mergeEdges } from './arrows.ts'
import { noNotes, writeEvent, type Notes } from './marks.ts'

/** A flow in words, for who cannot see its drawing: every state and every edge, a sentence each, with their notes. */
export function describeFlow(graph: FlowGraph, notes: Notes = noNotes): string {
  return [
    `${endSentence(graph.description)} Begins in ${graph.initial}.`,
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
