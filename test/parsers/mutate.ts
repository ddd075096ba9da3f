import fc from 'fast-check'
import type { Target } from './targets.ts'

/** A change of a text. Positions are numbers that are scaled to its length. */
type Change =
  | { readonly kind: 'insert'; readonly at: number; readonly text: string; readonly times: number }
  | { readonly kind: 'remove' | 'repeat'; readonly at: number; readonly length: number }
  | { readonly kind: 'splice'; readonly at: number; readonly other: string; readonly from: number }

const place = fc.nat(1000)

/** Valid and saved inputs of a parser, with pieces of its syntax inserted, removed, repeated and crossed over. */
export function mutated({ seeds, words }: Target, remembered: readonly string[]): fc.Arbitrary<string> {
  const starts = [...seeds, ...remembered]
  const start = fc.constantFrom(...starts)
  const text = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  )
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({
      kind: fc.constant('insert' as const),
      at: place,
      text,
      times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.constantFrom(2, 10, 70, 600)),
    }),
    fc.record({
      kind: fc.constantFrom('remove', 'repeat'),
      at: place,
      length: fc.integer({ min: 1, max: 20 }),
    }),
    fc.record({ kind: fc.constant('splice' as const), at: place, other: start, from: place }),
  )
  return fc
    .tuple(start, fc.array(change, { maxLength: 6 }))
    .map(([first, changes]) => changes.reduce(apply, first).slice(0, 20_000))
}

function apply(text: string, change: Change): string {
  const at = locate(text, change.at)
  const [before, after] = [text.slice(0, at), text.slice(at)]
  switch (change.kind) {
    case 'insert':
      return before + change.text.repeat(change.times) + after
    case 'remove':
      return before + after.slice(change.length)
    case 'repeat':
      return before + after.slice(0, change.length) + after
    case 'splice':
      return before + change.other.slice(locate(change.other, change.from))
  }
}

function locate(text: string, at: number): number {
  return Math.floor((at / 1000) * text.length)
}
