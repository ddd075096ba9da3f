/**
 * Writes docs/mutation.md from the last report of Stryker (`npm run mutate`), file by file: what was not mutated then is
 * kept as it was. `npm run mutate -- --mutate machines/session.ts` does one file alone.
 */
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

interface Position {
  readonly line: number
  readonly column: number
}

/** The report, as far as it is read (mutation-testing-report-schema 2). */
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

/** What is known of one file. */
interface Score {
  readonly day: string
  readonly noticed: number
  readonly survivors: readonly string[]
}

const top = new URL('../../', import.meta.url)
const scores = new URL('test/mutation.json', top)
const page = new URL('docs/mutation.md', top)

const { mutate } = JSON.parse(await readFile(new URL('test/config/stryker.json', top), 'utf8')) as {
  readonly mutate: readonly string[]
}
const wanted = globSync(mutate, { cwd: fileURLToPath(top) }).toSorted()
const report = JSON.parse(await readFile(new URL('.cache/mutation.json', top), 'utf8')) as Report
const known = existsSync(scores) ? (JSON.parse(await readFile(scores, 'utf8')) as Record<string, Score>) : {}
const day = new Date().toISOString().slice(0, 10)
const fresh = Object.entries(report.files).map(([file, found]) => [file, scoreOf(found)] as const)
const all = Object.fromEntries(
  Object.entries({ ...known, ...Object.fromEntries(fresh) }).toSorted(([a], [b]) => a.localeCompare(b)),
)
await writeFile(scores, `${JSON.stringify(all, null, 2)}\n`)
await writeFile(page, writePage(all))

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

/** What is to be mutated, and never was. */
function listMissing(known: Readonly<Record<string, Score>>): string {
  const missing = wanted.filter((file) => !Object.hasOwn(known, file))
  return missing.length === 0
    ? ''
    : `\nNot measured yet: ${missing.map((file) => `\`${file}\``).join(', ')}.\n`
}

function writePage(known: Readonly<Record<string, Score>>): string {
  const entries = Object.entries(known)
  const sum = (each: (score: Score) => number) => entries.reduce((total, [, score]) => total + each(score), 0)
  const row = (name: string, noticed: number, alive: number, when: string) =>
    `| ${name} | ${noticed} | ${alive} | ${((noticed / (noticed + alive || 1)) * 100).toFixed(1)} % | ${when} |`
  const rows = entries.map(([file, { noticed, survivors, day: when }]) =>
    row(file, noticed, survivors.length, when),
  )
  const alive = entries
    .filter(([, { survivors }]) => survivors.length > 0)
    .map(([file, { survivors }]) => [`### ${file}`, '', '```text', ...survivors, '```', ''].join('\n'))
  return `# Mutation score

How much of the charts and of the small pure modules the unit tests hold: Stryker changes them in one place at a time, and a
test of \`test/config/stryker.vitest.config.ts\` has to go red. What charts tell their readers (descriptions, requirements) is
left alone, as it does not run. Written by \`npm run mutate\`, which takes an hour or two for all files; \`npm run mutate -- --mutate
<file>\` does one. The mutants that the oracle has to notice are others: \`npm run mutants\`.

| file | noticed | survived | score | measured |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
${row(
  'all of these',
  sum(({ noticed }) => noticed),
  sum(({ survivors }) => survivors.length),
  '',
)}
${listMissing(known)}
## What survived

By line, with what was put in its place.

${alive.join('\n')}`
}
