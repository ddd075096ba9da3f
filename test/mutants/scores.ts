import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The result of the last Stryker run on one file. */
export interface Score {
  /** The day of that run. */
  readonly day: string
  readonly noticed: number
  /** The line, and which text replaced which. */
  readonly survivors: readonly string[]
}

/** Scores by file path. */
export type Scores = Readonly<Record<string, Score>>

const top = new URL('../../', import.meta.url)

/** The file in which `npm run mutants -- --by stryker` keeps all scores measured on this machine. */
export const scoresFile = new URL('.cache/mutation-scores.json', top)

/** Reads the scores of this machine; undefined if there are none. */
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
