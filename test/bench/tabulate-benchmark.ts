import { readFile } from 'node:fs/promises'
import type { Benchmark } from './benchmarks.ts'
import { type Results, writeTableRows } from './write-page.ts'

/** Returns the tables of a benchmark for a guide, and where they were measured, or the command that measures them. */
export async function tabulateBenchmark(name: Benchmark): Promise<string> {
  const results = JSON.parse(await readFile(new URL('results.json', import.meta.url), 'utf8')) as Results
  const result = results[name]
  if (!result) return `Not measured yet: run \`npm run bench:report -- ${name}\`.`
  const tables = result.tables.map((table) => `${table.about}\n\n${writeTableRows(table)}`)
  return `${tables.join('\n\n')}\n\nMeasured by ${result.measured}.`
}
