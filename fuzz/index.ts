/**
 * The conformance oracle, for any test runner.
 *
 * @example
 * import { checkConformance, exitCodeOf } from 'authmachine-conformance'
 * const report = await checkConformance('http://localhost:3000/auth')
 * assert.equal(exitCodeOf(report), 0)
 */
import type { ConformanceOptions } from './run/check-conformance.ts'
import type { ConformanceReport } from './run/report.ts'
import type { Judgement } from './run/verdict.ts'
import type { Target } from './targets/find-target.ts'

export type { Assessment } from './run/assess.ts'
export type { Expected } from './run/baseline.ts'
export type { ConformanceOptions } from './run/check-conformance.ts'
export { exitCodeOf, mergeReports, type ConformanceReport } from './run/report.ts'
export type { Finding, Judgement, Verdict } from './run/verdict.ts'
export type { Target } from './targets/find-target.ts'
export type { Handle, LibraryTarget, TokenFunctions } from './targets/target.ts'

// The properties are loaded on first use.
const load = () => import('./run/check-conformance.ts')

/**
 * Tests an implementation against every property of the oracle.
 *
 * @param target `ours`; the path of a module whose default export is a {@link LibraryTarget}; the URL of the routes of a
 *   running application, `http://localhost:3000/auth`; or a {@link Target} with further options
 * @throws {Error} if the target does not exist, or a running application does not respond
 */
export async function checkConformance(
  target: string | Target,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  return (await load()).checkConformance(target, options)
}

/** Runs the one case of a report's replay token. @throws {Error} if the token is invalid */
export async function replayCase(target: string | Target, token: string): Promise<Judgement> {
  return (await load()).replayCase(target, token)
}
