import type { FlowNode } from '../../machines/graph.ts'
import { measureText, type Face } from './measure-text.ts'

/** A place on the drawing, in px from its upper left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** How large something is, in px. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A rectangle on the drawing. */
export interface Box extends Point, Size {}

/** The faces of the drawing; the style sheet says the same. */
export const faces = {
  name: { size: 13, bold: true },
  step: { size: 11 },
  note: { size: 11, bold: true },
  requirement: { size: 9.5 },
  event: { size: 11 },
} as const satisfies Record<string, Face>

/** Heights of lines, in px. */
export const lines = { name: 18, step: 15, note: 16, requirement: 13, event: 15 } as const

/** The space inside a box, between its border and what is written in it. */
export const padding = { x: 14, y: 9, label: 6 } as const

/** Between the ids of a line. */
export const GAP = 8

/** A row of ids gets no longer than the name, or than this. */
const ROW = 150

/** The ids of a state, in rows of about the same length that are hardly wider than the rest of its box. */
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

/** How wide a row of ids is, in px. */
export function widthOf(row: readonly string[]): number {
  return row.reduce((sum, id) => sum + measureText(id, faces.requirement), GAP * (row.length - 1))
}

/** How large what is written in a state is, its space around it included; a note is a line of it. */
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

/** How large the stacked events of an arrow are. */
export function sizeLabel(events: readonly string[], face: Face = faces.event): Size {
  const widths = events.map((event) => measureText(event, face))
  return { width: Math.max(...widths) + 2 * padding.label, height: events.length * lines.event + 4 }
}
