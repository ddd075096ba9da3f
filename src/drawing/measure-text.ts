/**
 * Upper bounds of how wide letters are, in em: of each, the widest that it is in Helvetica, Arial, Roboto and Open Sans.
 * A layout has to be the same on every machine, so that no font of the machine may be asked.
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

/** How a text is set. */
export interface Face {
  /** In px. */
  readonly size: number
  readonly bold?: boolean
}

/** How wide a line is at most, in px. */
export function measureText(text: string, { size, bold = false }: Face): number {
  const em = Array.from(text).reduce((sum, letter) => sum + (WIDTHS.get(letter) ?? UNKNOWN), 0)
  return Math.ceil(em * size * (bold ? BOLD : 1))
}
