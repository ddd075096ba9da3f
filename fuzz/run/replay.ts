import { base64url } from 'jose'

/** Identifies a case. */
export interface Place {
  readonly property: string
  readonly setup: string
  readonly seed: number
  /** The path of fast-check: the case, and how it was shrunk. */
  readonly path: string
}

/** Encodes a case as one word to copy. */
export function writeToken({ property, setup, seed, path }: Place): string {
  return base64url.encode(JSON.stringify([property, setup, seed, path]))
}

/** Decodes a replay token. @throws {Error} if it is invalid */
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
    // Not a token; reported below.
  }
  throw new Error(`Expected a replay token from a report, got "${token.slice(0, 40)}"`)
}
