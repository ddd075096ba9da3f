import type { Owed } from './trace/standing.ts'

/**
 * The musts that no test proves yet, each with the reason. The list may only shrink: `node test/trace/settle.ts`
 * removes those that a test names, and lowers the ceiling.
 */
export const pendingCeiling = 2

export const pending: Owed = {
  'CC-10': 'capability email-change is not declared',
  'MD-03': 'capability persisted-snapshots is not declared',
}
