import type { Owed } from './trace/standing.ts'

/**
 * The musts that a test names without having been seen to kill a mutant for them. A must moves from test/pending.ts to
 * here and from here into test/kills.json; so the ceiling counts both lists together, and it may only come down:
 * `node test/trace/settle.ts`.
 */
export const unprovenCeiling = 658

export const unproven: Owed = {}
