import type { FlowGraph } from '../../../machines/graph.ts'

/** The parties that the application calls. */
export type Participant = 'provider' | 'store' | 'mail'

/** One moment of a recording, for the diagram and for the sequence diagram. */
export type Frame =
  /** Begins a part of the recording, which the list folds. */
  | {
      readonly kind: 'chapter'
      readonly text: string
      /** The number of the action. Absent for the part before the first action. */
      readonly step?: number
      /** The events and changes at its end, in sentences without a full stop. */
      readonly after?: readonly string[]
    }
  | {
      readonly kind: 'request'
      /** The browser or client, if several are recorded. */
      readonly by?: string
      /** Method and route: `GET callback/github`. */
      readonly text: string
    }
  | {
      readonly kind: 'hop'
      readonly flow: string
      readonly state: string
      readonly event: string
      readonly next: string
      readonly milliseconds?: number
    }
  | { readonly kind: 'call'; readonly to: Participant; readonly text: string }
  | { readonly kind: 'reply'; readonly to?: string; readonly text: string }
  /** An event outside of the application: a wait, a mail, a consent at a provider. */
  | { readonly kind: 'note'; readonly text: string }
  /** A requirement was checked. It held or did not hold. */
  | {
      readonly kind: 'check'
      readonly id: string
      readonly holds: boolean
      readonly text: string
      /** The expected behaviour. */
      readonly instead?: string
    }

/** A state in which a story should have taken another edge. */
export interface Stop {
  readonly flow: string
  readonly state: string
  /** The edges that would have stopped the story. */
  readonly edges: readonly { readonly event: string; readonly next: string }[]
  /** The index of the frame that left the state, or of the last one of the run that never entered it. */
  readonly at: number
  /** Whether the run entered the state. */
  readonly isEntered: boolean
}

/** A recording, to play on the diagrams. */
export interface Recording {
  /** Unique. */
  readonly id: string
  readonly title: string
  /** The heading of the list that contains it. */
  readonly group: string
  readonly text?: string
  /** The requirements that the recording is about. */
  readonly requirements?: readonly string[]
  /** The rules that the recording breaks. If there are any, the recording opens at a summary. */
  readonly breaks?: readonly BrokenRule[]
  readonly frames: readonly Frame[]
  /** Where a failing story should have stopped. All are in one run. */
  readonly stops?: readonly Stop[]
}

/** A rule in words, for somebody who does not know the specification. */
export interface BrokenRule {
  /** The requirement, if one states the rule. */
  readonly id?: string
  readonly says: string
  /** Why it matters. */
  readonly why?: string
}

/** x, y, width and height in px. */
export type PackedBox = readonly [x: number, y: number, width: number, height: number]

/** The corners of a line, as x and y in turn. */
export type PackedRoute = readonly number[]

/** The places of the states and arrows of a diagram, in the order of `visibleNodes` and `visibleArrows`. */
export interface View {
  readonly size: readonly [width: number, height: number]
  readonly boxes: readonly PackedBox[]
  readonly arrows: readonly (readonly [route: PackedRoute, label: PackedBox])[]
  /** The dots that mark initial states. */
  readonly starts: readonly (readonly [dot: PackedBox, route: PackedRoute])[]
  /** The notes at which arrows of every state start. */
  readonly notes: readonly PackedBox[]
}

/** The diagrams of each flow, by the keys of `viewKeys`. */
export type Layouts = Readonly<Record<string, Readonly<Record<string, View>>>>

/** All data that is known when the explorer is built. */
export interface ExplorerData {
  readonly layouts: Layouts
  /** The events that each working state can report, including those that an enclosing state handles. */
  readonly says: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** The file of each step. */
  readonly code: Readonly<Record<string, string>>
  /** How many tests each requirement has, and some of them as `file: title`. */
  readonly tests: Readonly<Record<string, { readonly total: number; readonly some: readonly string[] }>>
  /** Published advisories by requirement. */
  readonly attacks: Readonly<Record<string, readonly Attack[]>>
  readonly stories: readonly Recording[]
}

/** A published advisory about a similar library. */
export interface Attack {
  readonly id: string
  readonly project: string
  readonly cause: string
}

/** The members that a page adds to the data. */
export interface ExplorerSetup {
  readonly graphs: readonly FlowGraph[]
  /** The text and the source of each requirement. */
  readonly requirements: Readonly<Record<string, { readonly says: string; readonly source: string }>>
  /** Recordings that are listed before the stories. */
  readonly recordings?: readonly Recording[]
  /** The recording to open, instead of a diagram. */
  readonly play?: string
  /** The flows that a configuration uses. Absent if all are. */
  readonly used?: readonly string[]
  /** A link above the lists, such as back to devtools. */
  readonly back?: { readonly href: string; readonly text: string }
  /** The URL before the id of a requirement. */
  readonly requirementUrl?: string
  /** The URL before the path of a source file. */
  readonly sourceUrl?: string
}
