import { readHop } from '../../machines/hop.ts'
import type { CountedHop } from '../drawing/coverage-marks.ts'
import { CommandError } from './command-error.ts'

/**
 * The hops of a JSON report of the oracle, added up over its judgements.
 *
 * @throws {CommandError} when it is no such report, or of a target that tells no hops
 */
export function readCoverage(text: string, path: string): readonly CountedHop[] {
  const counts = new Map<string, number>()
  for (const hops of listHops(text))
    for (const [hop, count] of Object.entries(hops))
      if (typeof count === 'number') counts.set(hop, (counts.get(hop) ?? 0) + count)
  const read = [...counts].flatMap(([hop, count]) => {
    const named = readHop(hop)
    return named ? [{ ...named, count }] : []
  })
  if (read.length > 0) return read
  throw new CommandError(
    `${path} tells of no transition: it takes a report of a target that shows its flows, as this one:\n\n` +
      '  authmachine-conformance ours --report json',
    1,
  )
}

function listHops(text: string): object[] {
  const judgements = member(parse(text), 'judgements')
  if (!Array.isArray(judgements)) return []
  return judgements.map((judgement) => member(judgement, 'hops')).filter(isObject)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
