import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { benchmarks, type Benchmark } from './benchmarks.ts'
import { type Chart, drawChart } from './chart.ts'
import type { Table } from './present.ts'
import { limitOf, type Verdict } from './targets.ts'

/** The output of one benchmark. */
export interface Result {
  readonly tables: readonly Table[]
  /** The command that measured it, the machine and the duration. */
  readonly measured: string
}

export type Results = Partial<Record<Benchmark, Result>>

const page = new URL('../../docs/performance.md', import.meta.url)
const charts = new URL('../../docs/charts/', import.meta.url)

/** Writes docs/performance.md and its charts. */
export async function writePage(results: Results): Promise<void> {
  const all = benchmarks.flatMap((part) => results[part] ?? [])
  mkdirSync(charts, { recursive: true })
  for (const chart of all.flatMap(({ tables }) => tables).flatMap((table) => table.charts ?? []))
    writeFileSync(new URL(`${chart.name}.svg`, charts), await drawChart(chart))
  const intro = readFileSync(new URL('report-intro.md', import.meta.url), 'utf8').trim()
  const verdicts = all.flatMap(({ tables }) => tables).flatMap((table) => table.verdicts ?? [])
  writeFileSync(page, `${[intro, writeTargets(verdicts), ...all.map(writeResult)].join('\n\n')}\n`)
}

function writeTargets(verdicts: readonly Verdict[]): string {
  const missed = verdicts.filter(({ isMet }) => !isMet)
  const reached = verdicts.filter(reachesStretch)
  const about =
    `Of ${verdicts.length} targets, ${verdicts.length - missed.length} are met and ${missed.length} are missed. Some ` +
    `targets have a second, stricter value, which ${reached.length === 1 ? '1 job reaches' : `${reached.length} jobs reach`}. A value with ≤ is better if it is smaller.`
  const rows = verdicts.map((verdict) => [
    `${verdict.job}${verdict.inFlight === undefined ? '' : `, ${verdict.inFlight} in flight`}`,
    `${verdict.value.toFixed(2).replace(/\.00$/, '')} ${verdict.unit}`,
    limitOf(verdict),
    verdict.stretch === undefined ? '' : String(verdict.stretch),
    verdict.isMet ? (reachesStretch(verdict) ? 'met, the stricter one too' : 'met') : '**missed**',
  ])
  return writeTable({ title: 'Targets', about, head: ['job', 'measured', 'target', 'stricter', ''], rows })
}

function reachesStretch({ value, stretch, atLeast }: Verdict): boolean {
  if (stretch === undefined) return false
  return atLeast === undefined ? value <= stretch : value >= stretch
}

function writeResult({ tables, measured }: Result): string {
  return `${tables.map(writeTable).join('\n\n')}\n\nMeasured by ${measured}.`
}

function writeTable(table: Table): string {
  const images = (table.charts ?? []).flatMap((chart) => [writeImage(chart), ''])
  return [`## ${table.title}`, '', table.about, '', ...images, writeTableRows(table)].join('\n')
}

/** Writes the head and the rows of a table as Markdown. */
export function writeTableRows({ head, rows }: Pick<Table, 'head' | 'rows'>): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function writeImage({ name, title }: Chart): string {
  return `![${title}](charts/${name}.svg)`
}
