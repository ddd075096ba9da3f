import { availableParallelism } from 'node:os'
import { SingleBar } from 'cli-progress'
import { properties } from '../../fuzz/properties/index.ts'
import { explained } from './explained.ts'
import { judgeMutants, type JudgedMutant } from './judge.ts'
import type { Mutant } from './mutant.ts'
import { chartPlaces, placeOf, type MutantPlace } from './places.ts'
import { locateAll } from './stale.ts'
import { reportStale } from './report-stale.ts'

export interface OracleOptions {
  readonly written: readonly Mutant[]
  /** Chooses chart mutants by name. */
  readonly chooses: ((id: string) => boolean) | undefined
  readonly seed: number
  readonly threads: number | undefined
  readonly shard: { readonly index: number; readonly of: number } | undefined
}

/**
 * Shows that the oracle can fail: it judges the library with each mutant, one at a time, and has to notice it.
 *
 * @returns the exit code: 1 when a mutant survives without an explanation, or is noticed in spite of one
 */
export async function runOracle({ written, chooses, seed, threads, shard }: OracleOptions): Promise<number> {
  const { located, stale } = locateAll(written.filter(isForTheOracle))
  const places: MutantPlace[] = [
    ...located.map(([mutant, edit]) => placeOf(mutant, edit)),
    ...(chooses ? chartPlaces().filter(({ id }) => chooses(id)) : []),
  ].filter((_, at) => !shard || at % shard.of === shard.index - 1)
  reportStale(stale)
  if (places.length === 0) {
    console.log('The oracle has none of these mutants to judge.')
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
    tell({ by }) {
      if (!by) alive += 1
      bar.increment(1, { alive })
    },
  }).finally(() => bar.stop())
  return sumUp(judged, Math.round((performance.now() - started) / 1000))
}

const judgedRows = new Set<string>(properties.flatMap(({ proves }) => proves))

/**
 * The oracle brings its own store to a target, and judges requests: mutants of adapters, and of rows without a property,
 * are for the unit tests.
 */
export function isForTheOracle({ file, breaks }: Mutant): boolean {
  return breaks.some((id) => judgedRows.has(id)) && !file.startsWith('src/adapters/')
}

function sumUp(judged: readonly JudgedMutant[], seconds: number): number {
  const survivors = judged.filter(({ by }) => !by)
  const unexplained = survivors.filter(({ id }) => !Object.hasOwn(explained, id))
  const outdated = judged.filter(({ id, by }) => by && Object.hasOwn(explained, id))
  for (const { id, tried } of unexplained) console.log(`SURVIVED  ${id}  (${tried} properties tried)`)
  for (const { id, by } of outdated)
    console.log(`NOTICED   ${id}  by "${by?.property}", although test/mutants/explained.ts says it cannot be`)
  console.log(
    `${judged.length - survivors.length} of ${judged.length} mutants were noticed in ${seconds} s; ` +
      `${survivors.length - unexplained.length} survivors are explained, ${unexplained.length} are not`,
  )
  return unexplained.length + outdated.length > 0 ? 1 : 0
}
