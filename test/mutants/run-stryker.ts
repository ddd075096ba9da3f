import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
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

const top = new URL('../../', import.meta.url)

/**
 * Runs Stryker on files, and stores their scores for the documentation. Other files keep theirs.
 *
 * @param files if empty, all that test/config/stryker.json lists
 * @returns the exit code of Stryker
 */
export async function runStryker(files: readonly string[]): Promise<number> {
  const chosen = files.length > 0 ? ['--mutate', files.join(',')] : []
  const child = spawn('stryker', ['run', 'test/config/stryker.json', ...chosen], {
    cwd: fileURLToPath(top),
    stdio: 'inherit',
  })
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve(status ?? 1))
  })
  if (code === 0) await recordScores()
  return code
}

async function recordScores(): Promise<void> {
  const report = JSON.parse(await readFile(new URL('.cache/mutation.json', top), 'utf8')) as Report
  const day = new Date().toISOString().slice(0, 10)
  const fresh = Object.entries(report.files).map(([file, found]) => [file, scoreOf(found, day)] as const)
  const scores = Object.entries({ ...(await readScores()), ...Object.fromEntries(fresh) })
  const sorted = Object.fromEntries(scores.toSorted(([a], [b]) => a.localeCompare(b)))
  await writeFile(scoresFile, `${JSON.stringify(sorted, null, 2)}\n`)
  for (const [file, { noticed, survivors }] of fresh)
    console.log(`${file}: ${noticed} detected, ${survivors.length} survived`)
}

function scoreOf({ source, mutants }: Report['files'][string], day: string): Score {
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
