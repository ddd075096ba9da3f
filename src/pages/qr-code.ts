import { onceLoaded } from '../async/once.ts'

/** A QR code (ISO/IEC 18004) as the path of an SVG with a square view box. */
export interface QrCode {
  /** Modules of a side, with the quiet zone. */
  readonly size: number
  /** Draws the dark modules. */
  readonly path: string
}

/** Maximum characters: cameras of phones read longer texts badly, because the modules become too small. */
const longest = 1_000
/** Light modules that the code needs around it (ISO/IEC 18004 9.1). */
const border = 4

/** Draws a text of ASCII characters as a QR code. @returns undefined if it is too long */
export async function drawQrCode(text: string): Promise<QrCode | undefined> {
  if (text.length > longest) return undefined
  const { encode } = await load()
  const { data, size } = encode(text, { border })
  return { size, path: data.map(drawRow).join('') }
}

/** Draws each run of dark modules as one rectangle. */
function drawRow(row: readonly boolean[], y: number): string {
  const modules = row.map((isDark) => (isDark ? '#' : ' ')).join('')
  return [...modules.matchAll(/#+/g)]
    .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join('')
}

const load = onceLoaded(() => import('uqr'))
