/**
 * Returns the time of a valid Date in milliseconds, and undefined for anything else. It does not go by `instanceof`: on
 * edge runtimes `structuredClone` makes Dates of another realm.
 */
export function timeOf(value: unknown): number | undefined {
  try {
    const time = Date.prototype.getTime.call(value)
    return Number.isNaN(time) ? undefined : time
  } catch {
    return undefined
  }
}
