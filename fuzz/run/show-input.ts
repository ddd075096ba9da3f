import fc from 'fast-check'

/** Writes the input of a case as text, on one line and without the source code of its functions. */
export function showInput(input: unknown): string {
  return fc.stringify(simplify(input))
}

/** Names schedules and functions, which would be printed as a log and as source code. */
function simplify(value: unknown): unknown {
  if (typeof value === 'function') return named(value.name ? `function ${value.name}` : 'function')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(simplify)
  if (isScheduler(value)) return named('the order of the replay')
  if (fc.hasToStringMethod(value) || !isRecord(value)) return value
  const members = Object.entries(value).filter(([, member]) => typeof member !== 'function')
  return Object.fromEntries(members.map(([name, member]) => [name, simplify(member)]))
}

function named(text: string): object {
  return { [fc.toStringMethod]: () => `‹${text}›` }
}

function isScheduler(value: object): boolean {
  return 'schedule' in value && 'waitOne' in value
}

function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
