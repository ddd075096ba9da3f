/** Whether this run tries every case: `npm test -- thorough`, and `npm test -- whole`, which `.ci/run` includes. */
export const isThorough = process.env['THOROUGH'] === '1'

/**
 * Returns every n-th of the cases of a long test, or all of them in a thorough run. Use it only if each case fails for the
 * same reasons as its neighbours, so that a part of them still fails without what they test.
 */
export function sample<T>(cases: readonly T[], n: number): readonly T[] {
  return isThorough ? cases : cases.filter((_, index) => index % n === 0)
}
