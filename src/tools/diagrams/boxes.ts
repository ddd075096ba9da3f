import type { FlowNode } from '../../../machines/graph.ts'

/**
 * Maximum widths of characters in em: for each one, the widest in Helvetica, Arial, Roboto and Open Sans. A layout must
 * be the same on every machine, so fonts of the machine cannot be measured.
 */
const WIDTHS: ReadonlyMap<string, number> = new Map(
  (
    [
      [0.28, " !'`,.:;Iijl"],
      [0.38, '()-[]{}/\\ft·'],
      [0.42, 'r"'],
      [0.5, 'csvzJ'],
      [0.57, '0123456789aekxy+<=>~$^*?_|'],
      [0.62, 'bdghnopqu'],
      [0.67, 'ABEFKLPSTVXYZ#'],
      [0.79, 'CDGHNOQRUw&'],
      [1.02, 'mMW%@'],
    ] as const
  ).flatMap(([width, letters]) => Array.from(letters, (letter) => [letter, width] as const)),
)

const UNKNOWN = 1
const BOLD = 1.1

/** A font and its size. */
export interface Face {
  /** In px. */
  readonly size: number
  readonly bold?: boolean
}

/** Returns the maximum width of a line in px. */
export function measureText(text: string, { size, bold = false }: Face): number {
  const em = Array.from(text).reduce((sum, letter) => sum + (WIDTHS.get(letter) ?? UNKNOWN), 0)
  return Math.ceil(em * size * (bold ? BOLD : 1))
}

/** A point on the diagram, in px from its upper left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A size in px. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A rectangle on the diagram. */
export interface Box extends Point, Size {}

/** The fonts of the diagram, as in the style sheet. */
export const faces = {
  name: { size: 13, bold: true },
  step: { size: 11 },
  note: { size: 11, bold: true },
  requirement: { size: 9.5 },
  event: { size: 11 },
} as const satisfies Record<string, Face>

/** Line heights in px. */
export const lines = { name: 18, step: 15, note: 16, requirement: 13, event: 15 } as const

/** The space between the border of a box and its text. */
export const padding = { x: 14, y: 9, label: 6 } as const

/** The space between ids. */
export const GAP = 8

/** The minimum width of a row of ids before it wraps, if the name is shorter. */
const ROW = 150

/** Returns the ids of a state in rows of similar length, hardly wider than the rest of its box. */
export function rowsOf<Id extends string>({
  name,
  spec,
}: {
  name: string
  spec: readonly Id[]
}): readonly Id[][] {
  const limit = Math.max(ROW, measureText(name, faces.name))
  const length = Math.ceil(spec.length / Math.ceil(widthOf(spec) / limit))
  return spec.flatMap((_, index) => (index % length === 0 ? [spec.slice(index, index + length)] : []))
}

/** Returns the width of a row of ids in px. */
export function widthOf(row: readonly string[]): number {
  return row.reduce((sum, id) => sum + measureText(id, faces.requirement), GAP * (row.length - 1))
}

/** Returns the size of the text in a state, including the space around it. A note takes one line. */
export function sizeState(node: FlowNode, note?: string): Size {
  const rows = rowsOf(node)
  const widths = [
    measureText(node.name, faces.name),
    node.step === undefined ? 0 : measureText(node.step, faces.step),
    note === undefined ? 0 : measureText(note, faces.note),
    ...rows.map(widthOf),
  ]
  return {
    width: Math.max(...widths) + 2 * padding.x,
    height:
      lines.name +
      (node.step === undefined ? 0 : lines.step) +
      (note === undefined ? 0 : lines.note) +
      rows.length * lines.requirement +
      2 * padding.y,
  }
}

/** Returns the size of the stacked events of an arrow. */
export function sizeLabel(events: readonly string[], face: Face = faces.event): Size {
  const widths = events.map((event) => measureText(event, face))
  return { width: Math.max(...widths) + 2 * padding.label, height: events.length * lines.event + 4 }
}
