import { show } from './show.ts'

/** The store did something else than the contract says. The message tells what was expected and what came. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach'
  readonly what: string
  readonly expected: string
  readonly came: string

  constructor(what: string, expected: string, came: string, options?: ErrorOptions) {
    super(`${what}: expected ${expected}, but ${came}`, options)
    this.what = what
    this.expected = expected
    this.came = came
  }
}

/** The same value: dates by their time, objects and lists by their members. */
export function expectSame(what: string, came: unknown, expected: unknown): void {
  if (!isSame(came, expected)) throw new ContractBreach(what, show(expected), `got ${show(came)}`)
}

/**
 * A record that has these members; a store may add more. Where null is expected a member may also be missing.
 */
export function expectRecord(what: string, came: unknown, expected: object): void {
  if (typeof came !== 'object' || came === null)
    throw new ContractBreach(what, show(expected), `got ${show(came)}`)
  const held = new Map<string, unknown>(Object.entries(came))
  for (const [name, value] of Object.entries(expected))
    expectSame(`${what}, ${name}`, value === null ? (held.get(name) ?? null) : held.get(name), value)
}

/** Exactly null, which is how a store says "not found". */
export function expectNull(what: string, came: unknown): void {
  expectSame(what, came, null)
}

/** Null or undefined. */
export function expectNothing(what: string, came: unknown): void {
  if (came !== null && came !== undefined)
    throw new ContractBreach(what, 'null or undefined', `got ${show(came)}`)
}

/** Throws or rejects, with an Error. */
export async function expectThrow(what: string, operation: () => unknown): Promise<void> {
  let came: unknown
  try {
    came = await operation()
  } catch (error) {
    const thrown = error instanceof ContractBreach ? error.cause : error
    if (thrown instanceof Error) return
    throw new ContractBreach(what, 'an Error thrown', `${show(thrown)} was thrown`)
  }
  throw new ContractBreach(what, 'an Error thrown', `got ${show(came)}`)
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime()
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  const [left, right] = [new Map<string, unknown>(Object.entries(a)), Object.entries(b)]
  return (
    left.size === right.length && right.every(([key, value]) => left.has(key) && isSame(left.get(key), value))
  )
}
