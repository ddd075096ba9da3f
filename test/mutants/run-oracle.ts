import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { SingleBar } from 'cli-progress'
import { properties } from '../../fuzz/properties/index.ts'
import { explained } from './explained.ts'
import { judgeMutants, type JudgedMutant } from './judge.ts'
import type { Mutant } from './mutant.ts'
import { chartPlaces, placeOf, type MutantPlace } from './places.ts'
import { rowsBrokenBy } from './rows-broken-by.ts'
import { locateAll } from './stale.ts'
import { mutants as sequenceBugs } from './written/sequences.ts'
import { reportStale } from './report-stale.ts'

export interface OracleOptions {
  readonly written: readonly Mutant[]
  /** Selects chart mutants by name. */
  readonly chooses: ((id: string) => boolean) | undefined
  readonly seed: number
  readonly threads: number | undefined
  readonly shard: { readonly index: number; readonly of: number } | undefined
}

/**
 * Shows that the oracle can fail: judges the library with each mutant, one at a time, which the oracle has to detect.
 *
 * @returns the exit code: 1 if a mutant survives without an explanation, or is detected despite one
 */
export async function runOracle({ written, chooses, seed, threads, shard }: OracleOptions): Promise<number> {
  const { located, stale } = locateAll(written.filter(isForTheOracle))
  const places: MutantPlace[] = [
    ...located.map(([mutant, edit]) => placeOf(mutant, edit)),
    ...(chooses ? chartPlaces().filter(({ id }) => chooses(id)) : []),
  ].filter((_, at) => !shard || at % shard.of === shard.index - 1)
  reportStale(stale)
  if (places.length === 0) {
    console.log('None of these mutants is for the oracle.')
    return 0
  }
  const bar = new SingleBar({
    format: '{bar} {value}/{total} mutants, {alive} alive, {duration_formatted}',
    clearOnComplete: true,
  })
  let alive = 0
  const started = performance.now()
  bar.start(places.length, 0, { alive })
  const judged = await judgeMutants(places, {
    seed,
    threads: threads ?? availableParallelism(),
    report({ by }) {
      if (!by) alive += 1
      bar.increment(1, { alive })
    },
  }).finally(() => bar.stop())
  await record(judged)
  return sumUp(judged, Math.round((performance.now() - started) / 1000))
}

/** The file in which the last run records which property detected each mutant, and by which row. */
export const detectionsFile = new URL('../../.cache/detections.json', import.meta.url)

async function record(judged: readonly JudgedMutant[]): Promise<void> {
  const detections = judged.map(({ id, by, tried }) => {
    const { property, setup, verdict, broken, finding } = by ?? {}
    return { id, tried, property, setup, verdict, broken, says: finding?.says }
  })
  await mkdir(new URL('.', detectionsFile), { recursive: true })
  await writeFile(detectionsFile, `${JSON.stringify(detections, null, 2)}\n`)
}

const judgedRows = new Set<string>(properties.flatMap(({ proves }) => proves))

/**
 * The oracle configures its own store, and tests by requests. Mutants of adapters, and of requirements without a
 * property, are for the unit tests, and sequence bugs are for `--explore`.
 */
export function isForTheOracle(mutant: Mutant): boolean {
  if (sequenceBugs.includes(mutant) || mutant.file.startsWith('src/adapters/')) return false
  return rowsBrokenBy(mutant).some((id) => judgedRows.has(id))
}

function sumUp(judged: readonly JudgedMutant[], seconds: number): number {
  const survivors = judged.filter(({ by }) => !by)
  const unexplained = survivors.filter(({ id }) => !Object.hasOwn(explained, id))
  const outdated = judged.filter(({ id, by }) => by && Object.hasOwn(explained, id))
  for (const { id, tried } of unexplained) console.log(`SURVIVED  ${id}  (${tried} properties tried)`)
  for (const { id, by } of outdated)
    console.log(
      `DETECTED  ${id}  by "${by?.property}": remove its explanation from test/mutants/explained.ts`,
    )
  console.log(
    `${judged.length - survivors.length} of ${judged.length} mutants were detected in ${seconds} s; ` +
      `${survivors.length - unexplained.length} survivors are explained, ${unexplained.length} are not`,
  )
  return unexplained.length + outdated.length > 0 ? 1 : 0
}
