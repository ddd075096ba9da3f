import type { StaleMutant } from './stale.ts'

/**
 * Prints the mutants that no longer apply to the sources, each with the place most similar to the one it was written
 * for.
 */
export function reportStale(stale: readonly StaleMutant[]): void {
  for (const { id, why, nearest } of stale) {
    console.log(`STALE     ${id}: ${why}`)
    if (nearest !== undefined) console.log(`          nearest: ${nearest}`)
  }
  if (stale.length > 0)
    console.log(`${stale.length} stale mutants were skipped: update them in test/mutants/written/.`)
}
