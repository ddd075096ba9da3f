import type { FlowNode } from '../../machines/graph.ts'
import type { Arrow } from './arrows.ts'
import { faces } from './boxes.ts'
import type { Face } from './measure-text.ts'

/** How one thing of a drawing is marked. */
export interface Mark {
  /** Class of its element; the style of the marks says how that looks. */
  readonly look: string
  /** What is written beside it, so that nothing is told by a colour alone. */
  readonly note?: string
}

/** What is painted over a drawing: what happened in the flow. */
export interface Marks {
  /** Class of the whole drawing. */
  readonly name: string
  /** Rules for the inside of it. */
  readonly style: string
  readonly legend: readonly { readonly label: string; readonly look: string }[]
  /** Of a state that holds no others, or one that does. */
  readonly state: (node: FlowNode) => Mark | undefined
  /** Of one of the events of an arrow. */
  readonly event: (arrow: Arrow, event: string) => Mark | undefined
  /** Of the line that the events of an arrow share. */
  readonly arrow: (arrow: Arrow) => string
}

/** The notes that a layout leaves room for: those of the marks, or the widest that there may be. */
export interface Notes {
  readonly state: (node: FlowNode) => string | undefined
  readonly event: (arrow: Arrow, event: string) => string | undefined
  /** How events are set that are marked. */
  readonly eventFace: Face
}

/** The notes of marks that are painted on this layout alone. */
export function notesOf({ state, event }: Marks): Notes {
  return {
    state: (node) => state(node)?.note,
    event: (arrow, name) => event(arrow, name)?.note,
    eventFace: faces.note,
  }
}

/** A drawing of the flow alone. */
export const noNotes: Notes = { state: () => undefined, event: () => undefined, eventFace: faces.event }

/** An event with its note, as one line. */
export function writeEvent(event: string, note: string | undefined): string {
  return note === undefined ? event : `${event} ${note}`
}
