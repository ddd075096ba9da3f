/** An expensive input, and a well-formed one of the same size. */
export interface Hostile {
  readonly parser: string
  readonly name: string
  readonly attack: Prepare
  readonly plain: Prepare
}

/** Builds the input, and returns a function that passes it to the library. The client bears the cost of building. */
export type Prepare = () => () => unknown
/** The plain input of a parser, and the hostile inputs by name. */
export type Inputs = readonly [plain: Prepare, attacks: Readonly<Record<string, Prepare>>]

export const silent = { error() {}, warn() {}, debug() {} }

/** Repeats a pattern up to a length. */
export function fill(length: number, pattern: string): string {
  return pattern.repeat(Math.max(0, Math.floor(length / pattern.length)))
}

/** Joins parts numbered from 0, up to a length. */
export function count(length: number, separator: string, part: (n: string) => string): string {
  const parts: string[] = []
  for (let n = 0, size = 0; ; n++) {
    const text = part(n.toString(36).padStart(4, '0'))
    size += text.length + separator.length
    if (size > length) return parts.join(separator)
    parts.push(text)
  }
}
