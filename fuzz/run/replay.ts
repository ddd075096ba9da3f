import { base64url } from 'jose'

/** Where a case is to be found again. */
export interface Place {
  readonly property: string
  readonly setup: string
  readonly seed: number
  /** Of fast-check: which case, and how it was shrunk. */
  readonly path: string
}

/** A case as one word to copy. */
export function writeToken({ property, setup, seed, path }: Place): string {
  return base64url.encode(JSON.stringify([property, setup, seed, path]))
}

/** @throws {Error} when it is not such a word */
export function readToken(token: string): Place {
  try {
    const [property, setup, seed, path]: unknown[] = JSON.parse(
      new TextDecoder().decode(base64url.decode(token)),
    )
    if (
      typeof property === 'string' &&
      typeof setup === 'string' &&
      typeof seed === 'number' &&
      typeof path === 'string'
    )
      return { property, setup, seed, path }
  } catch {
    // Not one of ours; said below.
  }
  throw new Error(`Expected a replay token as a report prints it, got "${token.slice(0, 40)}"`)
}
