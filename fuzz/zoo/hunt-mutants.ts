import { availableParallelism } from 'node:os'
import { SingleBar } from 'cli-progress'
import { properties } from '../properties/index.ts'
import { explained } from './explained.ts'
import { hunt, type Hunted } from './hunt.ts'
import { generatedPrey, writtenPrey, type Prey } from './prey.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './written/index.ts'
import { UsageError, type Options } from '../cli/options.ts'

/**
 * Shows that the oracle is able to fail: every fault in this library is put in, one at a time, and has to be noticed.
 * The words name parts of the names of faults; `written` and `generated` all of a kind.
 *
 * @returns the exit code: 1 when a fault survives that nobody has explained, or one is noticed that somebody has
 */
export async function huntMutants({ words, threads, shard, seed = 1 }: Options): Promise<number> {
  const prey = choosePrey(words).filter((_, at) => !shard || at % shard.of === shard.index - 1)
  if (prey.length === 0)
    throw new UsageError(`Expected parts of names of mutants, and none has ${words.join(' or ')}`)
  const bar = new SingleBar({
    format: '{bar} {value}/{total} mutants, {alive} alive, {duration_formatted}',
    clearOnComplete: true,
  })
  let alive = 0
  const started = performance.now()
  bar.start(prey.length, 0, { alive })
  const hunted = await hunt(prey, {
    seed,
    threads: threads ?? availableParallelism(),
    tell({ by }) {
      if (!by) alive += 1
      bar.increment(1, { alive })
    },
  }).finally(() => bar.stop())
  return sumUp(hunted, Math.round((performance.now() - started) / 1000))
}

function choosePrey(words: readonly string[]): Prey[] {
  const written = writtenPrey(mutants.filter(isForTheOracle))
  const generated = generatedPrey()
  if (words.length === 0) return [...written, ...generated]
  return words.flatMap((word) => {
    if (word === 'written') return written
    if (word === 'generated') return generated
    return [...written, ...generated].filter(({ id }) => id.includes(word))
  })
}

const judged = new Set<string>(properties.flatMap(({ proves }) => proves))

/**
 * Targets are given the store of the oracle: a fault in an adapter is for the adapter kit to find. So is one of a row
 * without a property (what an application calls itself, and no request reaches) for the tests of the library.
 */
function isForTheOracle({ file, kills }: Mutant): boolean {
  return kills.some((id) => judged.has(id)) && !file.startsWith('src/adapters/')
}

function sumUp(hunted: readonly Hunted[], seconds: number): number {
  const survivors = hunted.filter(({ by }) => !by)
  const puzzling = survivors.filter(({ id }) => !Object.hasOwn(explained, id))
  const outdated = hunted.filter(({ id, by }) => by && Object.hasOwn(explained, id))
  for (const { id, tried } of puzzling) console.log(`SURVIVED  ${id}  (${tried} properties tried)`)
  for (const { id, by } of outdated)
    console.log(`NOTICED   ${id}  by "${by?.property}", though it is explained why nobody can`)
  const killed = hunted.length - survivors.length
  console.log(
    `${killed} of ${hunted.length} mutants were noticed in ${seconds} s; ${survivors.length - puzzling.length} survivors are explained, ${puzzling.length} are not`,
  )
  return puzzling.length + outdated.length > 0 ? 1 : 0
}
