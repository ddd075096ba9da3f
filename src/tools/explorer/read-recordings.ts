import { describe } from '../../config/rule.ts'
import type { Recording } from './data.ts'
import { type PlayableRun, recordRuns } from './record-run.ts'

/**
 * Returns the recordings in a file: a run, or a list of runs, of devtools.
 *
 * @throws {TypeError} if it contains anything else
 */
export function readRecordings(text: string): readonly Recording[] {
  const parsed = parse(text)
  if (!Array.isArray(parsed)) return [readRecording(parsed)]
  if (parsed.length === 0) throw new TypeError('Expected a run or a list of runs, got an empty list')
  return parsed.map((run, index) => readRecording(run, `[${index}].`))
}

function readRecording(value: unknown, path = ''): Recording {
  const run = value as PlayableRun
  for (const name of ['id', 'flow', 'request', 'state']) check(run, path, name, 'string')
  each(run, path, 'hops', (hop, place) => {
    for (const name of ['state', 'event', 'next']) check(hop, place, name, 'string')
    if (member(hop, 'milliseconds') !== undefined) check(hop, place, 'milliseconds', 'number')
    if (member(hop, 'calls') === undefined) return
    each(hop, place, 'calls', (call, at) => {
      for (const name of ['to', 'name']) check(call, at, name, 'string')
    })
  })
  return recordRuns(run.id, `${run.flow}: ${run.state}`, [run])
}

function each(of: unknown, path: string, name: string, read: (item: unknown, path: string) => void): void {
  const items = member(of, name)
  if (!Array.isArray(items)) fail(`${path}${name}`, 'list', items)
  items.forEach((item, index) => read(item, `${path}${name}[${index}].`))
}

function check(of: unknown, path: string, name: string, kind: 'string' | 'number'): void {
  const value = member(of, name)
  if (typeof value !== kind) fail(`${path}${name}`, kind, value)
}

function fail(path: string, kind: string, value: unknown): never {
  throw new TypeError(`\`${path}\` must be a ${kind}, got ${describe(value)}`)
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TypeError('Expected JSON')
  }
}
