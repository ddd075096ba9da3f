import type { FlowNode } from '../../../machines/graph.ts'
import type { Arrow } from './arrows.ts'
import { type Face, faces } from './boxes.ts'

/** The mark of one element of a diagram. */
export interface Mark {
  /** The class of its element. The style of the marks defines its look. */
  readonly look: string
  /** The note beside it, so that no information depends on colour alone. */
  readonly note?: string
}

/** Marks on a diagram that show a run or the coverage of the flow. */
export interface Marks {
  /** The class of the whole diagram. */
  readonly name: string
  /** CSS rules for its content. */
  readonly style: string
  readonly legend: readonly { readonly label: string; readonly look: string }[]
  /** Returns the mark of a state. */
  readonly state: (node: FlowNode) => Mark | undefined
  /** Returns the mark of one event of an arrow. */
  readonly event: (arrow: Arrow, event: string) => Mark | undefined
  /** Returns the mark of the line that the events of an arrow share. */
  readonly arrow: (arrow: Arrow) => string
}

/** The notes for which a layout reserves room: those of the marks, or the widest possible ones. */
export interface Notes {
  readonly state: (node: FlowNode) => string | undefined
  readonly event: (arrow: Arrow, event: string) => string | undefined
  /** The font of marked events. */
  readonly eventFace: Face
}

/** Returns the notes of marks that are used for this layout only. */
export function notesOf({ state, event }: Marks): Notes {
  return {
    state: (node) => state(node)?.note,
    event: (arrow, name) => event(arrow, name)?.note,
    eventFace: faces.note,
  }
}

/** No marks. */
export const noNotes: Notes = { state: () => undefined, event: () => undefined, eventFace: faces.event }

/** Writes an event and its note as one line. */
export function writeEvent(event: string, note: string | undefined): string {
  return note === undefined ? event : `${event} ${note}`
}

const light = '--lit:#1d4fb8;--lit-box:#e8effd;--never:#a3164f'
const dark = '--lit:#8db4ff;--lit-box:#182b52;--never:#ff8db8'

/** CSS rules for both kinds of marks: marked elements stand out, and the others fade but stay legible. */
export function marksStyle(name: string): string {
  const flow = `.flow.${name}`
  return `
${flow}{${light}}
@media(prefers-color-scheme:dark){${flow}{${dark}}}
${flow} .note{font-size:11px;font-weight:600}
${flow} .lit>.box{stroke:var(--lit);stroke-width:2.2}
${flow} .lit:not(.final,.compound)>.box{fill:var(--lit-box)}
${flow} .lit>.note,${flow} .arrow .lit,${flow} .lit>.name{fill:var(--lit)}
${flow} .arrow .lit{font-weight:600}
${flow} .arrow.lit>.line{stroke:var(--lit);stroke-width:2.6;stroke-dasharray:none}
${flow} .arrow.lit>.head{fill:var(--lit)}
${flow} .state.final.success.lit>:is(.name,.note){fill:var(--success)}
${flow} .state.final.refusal.lit>:is(.name,.note){fill:var(--refusal)}
${flow} .state.final.fault.lit>:is(.name,.note){fill:var(--fault)}
${flow} .state.final.success.lit>.box{stroke:var(--success)}
${flow} .state.final.refusal.lit>.box{stroke:var(--refusal)}
${flow} .state.final.fault.lit>.box{stroke:var(--fault)}
${flow} .arrow:not(.lit,.never)>.line{stroke:var(--edge)}
${flow} .arrow:not(.lit,.never)>.head{fill:var(--edge)}
${flow} .arrow text:not(.lit,.never){fill:var(--muted)}
${flow} .state:not(.lit,.never,.compound)>:is(.box,.inner){fill:var(--paper);stroke:var(--rim)}
${flow} .state:not(.lit,.never)>.name{fill:var(--muted)}`
}
