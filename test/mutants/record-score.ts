/** Adds the last report of Stryker (`npm run mutate`) to the scores: files that it did not mutate keep theirs. */
import { readFile, writeFile } from 'node:fs/promises'
import { readScores, scoresFile, type Score } from './scores.ts'

interface Position {
  readonly line: number
  readonly column: number
}

/** The parts of the report that are read (mutation-testing-report-schema 2). */
interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string
        readonly mutants: readonly {
          readonly status: string
          readonly replacement?: string
          readonly location: { readonly start: Position; readonly end: Position }
        }[]
      }
    >
  >
}

const report = JSON.parse(
  await readFile(new URL('../../.cache/mutation.json', import.meta.url), 'utf8'),
) as Report
const day = new Date().toISOString().slice(0, 10)
const fresh = Object.entries(report.files).map(([file, found]) => [file, scoreOf(found)] as const)
const scores = Object.entries({ ...(await readScores()), ...Object.fromEntries(fresh) })
const sorted = Object.fromEntries(scores.toSorted(([a], [b]) => a.localeCompare(b)))
await writeFile(scoresFile, `${JSON.stringify(sorted, null, 2)}\n`)
for (const [file, { noticed, survivors }] of fresh)
  console.log(`${file}: ${noticed} noticed, ${survivors.length} survived`)

function scoreOf({ source, mutants }: Report['files'][string]): Score {
  const lines = source.split('\n')
  const survivors = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  return {
    day,
    noticed: mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length,
    survivors: survivors.map(({ location: { start, end }, replacement = '' }) => {
      const first = lines[start.line - 1] ?? ''
      const was = first.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined)
      return `${start.line}: ${shorten(was)} → ${shorten(replacement)}`
    }),
  }
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}
