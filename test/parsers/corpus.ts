import { readFileSync, writeFileSync } from 'node:fs'

/** Inputs by parser, and then by outcome. */
export type Corpus = Record<string, Record<string, string>>

const path = new URL('corpus.json', import.meta.url)

/** The inputs that earlier runs found: the shortest for each outcome, and every input that failed. */
export function readCorpus(): Corpus {
  return JSON.parse(readFileSync(path, 'utf8')) as Corpus
}

export function writeCorpus(corpus: Corpus): void {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, each]) => [key, sorted(each)]),
        )
      : value
  writeFileSync(path, `${JSON.stringify(sorted(corpus), null, 2)}\n`)
}
