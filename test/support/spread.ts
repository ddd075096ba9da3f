/** Counts the situations that the cases of a property reached. */
export interface Spread {
  /** Counts one case for a situation. */
  readonly count: (label: string) => void
  /** Fails if fewer than `floor` cases reached the situation. */
  readonly atLeast: (label: string, floor: number) => void
  /** Prints the number of cases by situation. @returns the line */
  readonly report: () => string
}

/**
 * Shows that a property reached its situations, since a property that never does proves nothing.
 *
 * @example const cases = spread('chunks survive'); fc.assert(...cases.count('split')...); cases.atLeast('split', 50)
 */
export function spread(name: string): Spread {
  const counts = new Map<string, number>()
  const report = () => {
    const parts = [...counts].toSorted((a, b) => b[1] - a[1]).map(([label, n]) => `${label} ${n}`)
    const line = `${name}: ${parts.join(', ')}`
    process.stdout.write(`  ${line}\n`)
    return line
  }
  return {
    count: (label) => void counts.set(label, (counts.get(label) ?? 0) + 1),
    atLeast(label, floor) {
      const reached = counts.get(label) ?? 0
      if (reached < floor)
        throw new Error(`${name}: ${label} was reached ${reached} times, expected at least ${floor}`)
    },
    report,
  }
}
