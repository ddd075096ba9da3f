import type { Ending } from '../../../machines/endings.ts'
import { findEdge, type FlowGraph, type FlowNode } from '../../../machines/graph.ts'
import { faces } from './boxes.ts'
import { type Mark, type Marks, marksStyle, type Notes } from './marks.ts'

/** Writes a duration as short text: `0.4 ms`, `120 ms`, `12.5 s`. */
export function writeMilliseconds(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 9999.5) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** The parts of a run that a diagram shows. */
export interface DrawableRun {
  readonly hops: readonly {
    readonly state: string
    readonly event: string
    readonly milliseconds: number
  }[]
  /** The current or final state. */
  readonly state: string
  /** The kind of the final state. Absent while the flow runs. */
  readonly ending?: Ending | undefined
}

const name = 'traced'

/** CSS rules for diagrams with a trace, in addition to those of all diagrams. */
export const traceStyle = `${marksStyle(name)}
.flow.traced .failing>.box{stroke-width:3.6}
.flow.traced .failing.refusal>.box{stroke:var(--refusal);fill:var(--refusal-box)}
.flow.traced .failing.fault>.box{stroke:var(--fault);fill:var(--fault-box)}
.flow.traced .failing.refusal>:is(.name,.note),.flow.traced .arrow .lit.refusal{fill:var(--refusal)}
.flow.traced .failing.fault>:is(.name,.note),.flow.traced .arrow .lit.fault{fill:var(--fault)}
.flow.traced .arrow.lit.refusal>.line{stroke:var(--refusal)}
.flow.traced .arrow.lit.refusal>.head{fill:var(--refusal)}
.flow.traced .arrow.lit.success>.line{stroke:var(--success)}
.flow.traced .arrow.lit.success>.head,.flow.traced .arrow .lit.success{fill:var(--success)}
.flow.traced .arrow.lit.fault>.line{stroke:var(--fault)}
.flow.traced .arrow.lit.fault>.head{fill:var(--fault)}
.flow.traced .current>.box{stroke-dasharray:6 3}`

/** Reserves room for the notes of any run, so that each flow is laid out once. */
export const traceNotes: Notes = {
  state: ({ kind }) =>
    kind === 'compound' ? undefined : kind === 'final' ? 'after 88888 ms' : '88, 88, … · failed · 88888 ms',
  event: () => undefined,
  eventFace: faces.note,
}

/** Highlights the path of a run, the time in each state, and the state in which it failed. */
export function traceFlow(graph: FlowGraph, run: DrawableRun): Marks {
  const edges = run.hops.map(({ state, event }) => findEdge(graph, state, event))
  const toneOf = (target: string) => graph.nodes.find(({ id }) => id === target)?.ending ?? ''
  const isTaken = (source: string | undefined, target: string, event?: string) =>
    edges.some(
      (edge) =>
        edge?.source === source && edge?.target === target && (event === undefined || edge?.event === event),
    )
  return {
    name,
    style: traceStyle,
    legend: [
      { label: 'path taken', look: 'lit' },
      { label: 'not taken', look: '' },
    ],
    state: (node) => markState(node, run),
    event: ({ source, target }, event) =>
      isTaken(source, target, event) ? { look: `lit ${toneOf(target)}`.trim() } : undefined,
    arrow: ({ source, target }) => (isTaken(source, target) ? 'lit' : ''),
  }
}

function markState({ id, kind }: FlowNode, run: DrawableRun): Mark | undefined {
  if (kind === 'compound') return isInside(id, run) ? { look: 'lit' } : undefined
  if (kind === 'final') return run.state === id ? { look: 'lit', note: `after ${sum(run.hops)}` } : undefined
  const visits = run.hops.flatMap((hop, index) => (hop.state === id ? [{ hop, number: index + 1 }] : []))
  if (run.state === id) return { look: 'lit current', note: `${run.hops.length + 1} · under way` }
  if (visits.length === 0) return undefined
  const numbers = visits.length > 2 ? [...visits.slice(0, 2), '…'] : visits
  const which = numbers.map((each) => (typeof each === 'string' ? each : each.number)).join(', ')
  const took = sum(visits.map(({ hop }) => hop))
  const failed = run.ending !== undefined && run.ending !== 'success' && run.hops.at(-1)?.state === id
  return failed
    ? { look: `lit failing ${run.ending}`, note: `${which} · failed · ${took}` }
    : { look: 'lit', note: `${which} · ${took}` }
}

function isInside(place: string, { hops, state }: DrawableRun): boolean {
  return [state, ...hops.map((hop) => hop.state)].some((each) => each.startsWith(`${place}.`))
}

function sum(hops: DrawableRun['hops']): string {
  return writeMilliseconds(hops.reduce((total, { milliseconds }) => total + milliseconds, 0))
}
