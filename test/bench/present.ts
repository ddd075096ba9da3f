import { parseArgs } from 'node:util'
import type { Chart } from './chart.ts'
import type { Verdict } from './targets.ts'

/** The output of a benchmark. */
export interface Table {
  readonly title: string
  /** Describes the measurement, and how to read it. */
  readonly about: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The targets of the table. */
  readonly verdicts?: readonly Verdict[]
  /** Values that other pages quote, by name. */
  readonly figures?: Readonly<Record<string, number>>
  readonly charts?: readonly Chart[]
}

/** The arguments of a benchmark. */
export interface Asked {
  /** Take fewer measurements. */
  readonly isQuick: boolean
  /** The selected names. */
  readonly names: readonly string[]
}

/** Runs a benchmark and prints its tables: as text or as data (`--json`). */
export async function present(run: (asked: Asked) => Promise<readonly Table[]>): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { quick: { type: 'boolean' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const tables = await run({ isQuick: values.quick === true, names: positionals })
  console.log(values.json ? JSON.stringify(tables, null, 2) : tables.map(writeText).join('\n\n'))
}

function writeText({ title, about, head, rows }: Table): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const lines = [head, ...rows].map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [title, about, '', ...lines].join('\n')
}

/** Formats a number with three significant digits and a space between thousands. */
export function show(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits, minimumFractionDigits: digits })
}
