import { show } from './show.ts'

/** The store broke the contract. The message has the expected and the actual result. */
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

/** Checks deep equality: dates by their time, objects and arrays by their members. */
export function expectSame(what: string, came: unknown, expected: unknown): void {
  if (!isSame(came, expected)) throw new ContractBreach(what, show(expected), `got ${show(came)}`)
}

/**
 * Checks that a record has these members; a store may add more. A member that should be null may also be missing.
 */
export function expectRecord(what: string, came: unknown, expected: object): void {
  if (typeof came !== 'object' || came === null)
    throw new ContractBreach(what, show(expected), `got ${show(came)}`)
  const held = new Map<string, unknown>(Object.entries(came))
  for (const [name, value] of Object.entries(expected))
    expectSame(`${what}, ${name}`, value === null ? (held.get(name) ?? null) : held.get(name), value)
}

/** Checks for exactly null, the result for "not found". */
export function expectNull(what: string, came: unknown): void {
  expectSame(what, came, null)
}

/** Checks for null or undefined. */
export function expectNothing(what: string, came: unknown): void {
  if (came !== null && came !== undefined)
    throw new ContractBreach(what, 'null or undefined', `got ${show(came)}`)
}

/** Checks that a call throws or rejects with an Error. */
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
