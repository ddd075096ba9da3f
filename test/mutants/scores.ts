import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** What the last run of Stryker over one file found. */
export interface Score {
  /** The day of that run. */
  readonly day: string
  readonly noticed: number
  /** The line, and what was replaced there by what. */
  readonly survivors: readonly string[]
}

/** Scores by the path of the file. */
export type Scores = Readonly<Record<string, Score>>

const top = new URL('../../', import.meta.url)

/** Where `npm run mutants -- --by stryker` keeps the scores of all files that it ever measured on this machine. */
export const scoresFile = new URL('.cache/mutation-scores.json', top)

/** Reads the scores of this machine; undefined when there are none. */
export async function readScores(): Promise<Scores | undefined> {
  return existsSync(scoresFile) ? (JSON.parse(await readFile(scoresFile, 'utf8')) as Scores) : undefined
}

/** Lists the files that Stryker mutates. */
export async function listMutated(): Promise<readonly string[]> {
  const { mutate } = JSON.parse(await readFile(new URL('test/config/stryker.json', top), 'utf8')) as {
    readonly mutate: readonly string[]
  }
  const isExcluded = (pattern: string) => pattern.startsWith('!')
  const exclude = mutate.filter(isExcluded).map((pattern) => pattern.slice(1))
  const include = mutate.filter((pattern) => !isExcluded(pattern))
  return globSync(include, { cwd: fileURLToPath(top), exclude }).toSorted()
}
