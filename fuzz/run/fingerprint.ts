import { createHash } from 'node:crypto'

/**
 * Identifies a failure by its property, its application and the kinds of its steps. Random values do not count, so the
 * same fault usually has the same fingerprint with another seed.
 */
export function fingerprint(property: string, setup: string, trace: readonly string[]): string {
  const shape = trace.map((line) => line.replaceAll(/‹secret \d+›|\d+/g, '#').split(/[?:]/)[0])
  return createHash('sha256')
    .update(JSON.stringify([property, setup, shape]))
    .digest('hex')
}
