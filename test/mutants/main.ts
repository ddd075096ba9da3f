/** `npm run mutants`. The help is below. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { chartPlaces } from './places.ts'
import { reportStale } from './report-stale.ts'
import { locateAll } from './stale.ts'
import { mutants } from './written/index.ts'

const help = `Introduces bugs into the sources, one at a time, and reports those that no test detects.

Usage: npm run mutants -- [<part of a name>...] [options]
       npm run mutants -- --by stryker [<file>...]

  --by oracle|tests        what has to detect them (default: oracle)
  --by stryker             runs Stryker on these files, or on all of test/config/stryker.json, and stores the scores
  --kind written|charts    only written mutants, or only those generated from the charts (default: both)
  --stale                  only lists written mutants that no longer apply to the sources
  --names                  only lists written mutants that use a name that does not exist: they throw instead
  --hunt                   reports for each mutant which profile detects it, smoke or ci, and by which row
  --explore                reports for each mutant how many actions of people show it
  --depth <number>         with --explore: the longest sequence to try (default: 4)
  --controls               judges each property (or those with a part of these names) on its control, a mutant on which it must fail
  --choose                 with --controls: finds controls for properties that have none
  --way library|http       with --controls: only in process, or only over HTTP on an application with one provider
  --strict                 with --stale and --names: exits with 1 if there are any
  --seed <number>          for the oracle and --controls: the seed of the cases (default: 1)
  --threads <number>       for the oracle and --controls: concurrent mutants (default: one per processor)
  --shard <i/n>            for the oracle and --controls: one part of n

The oracle runs mutants that requests can reach. The unit tests run the written mutants of requirements that have a
test, and record the results in .cache/kills.json. Stryker generates further mutants, and the unit tests run them.
test/mutants/explained.ts says why the oracle cannot detect some mutants.
`

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    by: { type: 'string', default: 'oracle' },
    kind: { type: 'string' },
    stale: { type: 'boolean', default: false },
    names: { type: 'boolean', default: false },
    way: { type: 'string' },
    strict: { type: 'boolean', default: false },
    hunt: { type: 'boolean', default: false },
    explore: { type: 'boolean', default: false },
    depth: { type: 'string', default: '4' },
    controls: { type: 'boolean', default: false },
    choose: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string' },
    shard: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

async function run(): Promise<number> {
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  if (values.controls) {
    const way = expectOneOf('--way', values.way, ['library', 'http'])
    const options = {
      words,
      ways: (['library', 'http'] as const).filter((each) => way === undefined || each === way),
      threads:
        values.threads === undefined ? availableParallelism() : readNumber('--threads', values.threads),
      seed: readNumber('--seed', values.seed),
    }
    if (values.choose) {
      const { chooseControls } = await import('./controls/choose-controls.ts')
      return chooseControls(options)
    }
    const { runControls } = await import('./controls/run-controls.ts')
    return runControls({
      ...options,
      shard: values.shard === undefined ? undefined : readShard(values.shard),
    })
  }
  const kind = expectOneOf('--kind', values.kind, ['written', 'charts'])
  const by = expectOneOf('--by', values.by, ['oracle', 'tests', 'stryker'])
  if (by === 'stryker') {
    const { runStryker } = await import('./run-stryker.ts')
    return runStryker(words)
  }
  const chooses = (id: string) => words.length === 0 || words.some((word) => id.includes(word))
  const written = kind === 'charts' ? [] : mutants.filter(({ id }) => chooses(id))
  const withCharts = kind !== 'written'
  if (written.length === 0 && !(withCharts && chartPlaces().some(({ id }) => chooses(id))))
    throw new Error(`No mutant has a name with ${words.join(' or ')}`)
  if (values.stale) {
    const { located, stale } = locateAll(written)
    reportStale(stale)
    console.log(`${located.length} written mutants apply to the sources, ${stale.length} are stale`)
    return values.strict && stale.length > 0 ? 1 : 0
  }
  if (values.names) {
    const { findUnknownNames } = await import('./unknown-names.ts')
    const found = findUnknownNames(locateAll(written).located)
    for (const { id, why } of found) console.log(`${id}: ${why}`)
    console.log(`${found.length} of ${written.length} written mutants use a name that does not exist`)
    return values.strict && found.length > 0 ? 1 : 0
  }
  if (values.hunt) {
    const { hunt } = await import('./hunt.ts')
    const threads = values.threads === undefined ? 2 : readNumber('--threads', values.threads)
    return hunt(written, readNumber('--seed', values.seed), threads)
  }
  if (values.explore) {
    const { runExplore } = await import('./run-explore.ts')
    return runExplore(written, readNumber('--depth', values.depth))
  }
  if (by === 'tests') {
    const { runTests } = await import('./run-tests.ts')
    return runTests({ written, withCharts: withCharts && words.length === 0, isPart: words.length > 0 })
  }
  const { runOracle } = await import('./run-oracle.ts')
  return runOracle({
    written,
    chooses: withCharts ? chooses : undefined,
    seed: readNumber('--seed', values.seed),
    threads: values.threads === undefined ? undefined : readNumber('--threads', values.threads),
    shard: values.shard === undefined ? undefined : readShard(values.shard),
  })
}

function expectOneOf(option: string, word: string | undefined, known: readonly string[]): string | undefined {
  if (word === undefined || known.includes(word)) return word
  throw new Error(`Expected ${option} to be ${known.join(' or ')}, got "${word}"`)
}

function readNumber(option: string, text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new Error(`Expected ${option} to be a positive whole number, got "${text}"`)
}

function readShard(text: string) {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (shard.index >= 1 && shard.index <= shard.of) return shard
  throw new Error(`Expected --shard to be a part like 1/4, got "${text}"`)
}
