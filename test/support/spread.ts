/** Counts which situations the cases of a property reached. */
export interface Spread {
  /** One case that reached the situation. */
  readonly count: (label: string) => void
  /** Fails when the situation was reached by fewer than `floor` cases. */
  readonly atLeast: (label: string, floor: number) => void
  /** Prints how many cases ran and how they were spread; answers the line. */
  readonly report: () => string
}

/**
 * Shows that a property met the situations it speaks of: a property that never meets them proves nothing.
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
      if (reached < floor) throw new Error(`${name}: ${label} was reached ${reached} times, wanted ${floor}`)
    },
    report,
  }
}
