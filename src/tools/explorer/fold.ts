import type { FlowGraph, FlowNode } from '../../../machines/graph.ts'
import { type Arrow, mergeEdges } from '../diagrams/arrows.ts'

/** The key of the diagram in which everything is open. */
export const ALL = '*'

/**
 * Returns the keys of the diagrams of a flow: the empty string if all states are folded, the path of a state if only
 * that state is open, and `*` if all are open.
 */
export function viewKeys(graph: FlowGraph): readonly string[] {
  if (graph.initial === undefined) return [ALL]
  const compounds = graph.nodes.filter(({ kind }) => kind === 'compound').map(({ id }) => id)
  return compounds.length > 1 ? ['', ...compounds, ALL] : ['', ...compounds]
}

/**
 * Returns whether a compound state is open in a diagram. Opening a state also opens its ancestors, and folds all
 * others.
 */
export function isOpen(key: string, id: string): boolean {
  return key === ALL || key === id || key.startsWith(`${id}.`)
}

/** Returns the states that a diagram shows. */
export function visibleNodes({ nodes }: FlowGraph, key: string): readonly FlowNode[] {
  return nodes.filter(({ parent }) => parent === undefined || isOpen(key, parent))
}

/** Returns the folded state that hides a state, or the state itself if it is visible. */
export function visiblePlace(key: string, place: string): string {
  const parts = place.split('.')
  for (let length = 1; length < parts.length; length++) {
    const outer = parts.slice(0, length).join('.')
    if (!isOpen(key, outer)) return outer
  }
  return place
}

/** Returns the key of the smallest diagram that shows a state. */
export function viewOf(graph: FlowGraph, place: string): string {
  const parent = graph.nodes.find(({ id }) => id === place)?.parent
  return graph.initial === undefined ? ALL : (parent ?? '')
}

/**
 * Returns whether a diagram lists an arrow as text in the box of its source state. Most states have arrows to the same
 * few refusals and faults, and drawing these as lines would fill most of the diagram.
 */
export function isExit({ source, target, tone }: Arrow): boolean {
  return (tone === 'refusal' || tone === 'fault') && source !== target
}

/** Returns the arrows that a diagram draws as lines. */
export function visibleArrows(graph: FlowGraph, key: string): readonly Arrow[] {
  const shown = new Set(visibleNodes(graph, key).map(({ id }) => id))
  return mergeEdges(graph).filter(
    (arrow) =>
      !isExit(arrow) && shown.has(arrow.target) && (arrow.source === undefined || shown.has(arrow.source)),
  )
}

/** Returns the lines of an arrow's label. A long label omits events, which the panel lists. */
export function labelOf({ events }: Arrow): readonly string[] {
  return events.length > 4 ? [...events.slice(0, 3), `and ${events.length - 3} more`] : events
}

/** The text in the box of a state. */
export interface BoxText {
  readonly name: string
  /** The number of folded states, or the events that lead to this state from every other. */
  readonly below?: string
  readonly exits: readonly { readonly text: string; readonly tone: string; readonly target: string }[]
}

/** Returns the text in the box of a state. */
export function textOf(graph: FlowGraph, node: FlowNode, key: string): BoxText {
  const below = describeBelow(graph, node, key)
  const exits = mergeEdges(graph).filter((arrow) => arrow.source === node.id && isExit(arrow))
  return {
    name: node.name,
    ...(below !== undefined && { below }),
    exits: exits.map(({ target, tone, events }) => ({
      text: `to ${target.split('.').at(-1)}${events.length > 1 ? ` ×${events.length}` : ''}`,
      tone,
      target,
    })),
  }
}

function describeBelow({ nodes, edges }: FlowGraph, node: FlowNode, key: string): string | undefined {
  if (node.kind === 'compound') {
    if (isOpen(key, node.id)) return undefined
    const inside = nodes.filter(({ id, kind }) => kind !== 'compound' && id.startsWith(`${node.id}.`))
    return `${inside.length} states`
  }
  const anywhere = edges.filter(({ source, target }) => source === undefined && target === node.id)
  if (anywhere.length > 0) return `${anywhere.map(({ event }) => event).join(', ')} in any state`
  return undefined
}
