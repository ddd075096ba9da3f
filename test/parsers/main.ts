/**
 * `npm run fuzz:parsers -- --seconds 900 --save`: mutates inputs of every parser for that long, prints what failed or took
 * long, and saves it and the shortest input for each new outcome to corpus.json, which `npm test` replays. Names of
 * parsers restrict it; `--seed` repeats a run.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { readCorpus, writeCorpus } from './corpus.ts'
import { mutated } from './mutate.ts'
import { targets } from './targets.ts'

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, save: { type: 'boolean' } },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : Object.keys(targets)
const seconds = Number(values.seconds ?? 60)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
/** Milliseconds of processor time that no input of 20,000 characters may take. */
const slow = 10
/** Inputs in one round of a parser. */
const round = 500
/** Outcomes that the corpus has room for, for each parser. */
const outcomes = 40

const corpus = readCorpus()
const counts = { inputs: 0, failures: 0, outcomes: 0 }
const end = Date.now() + seconds * 1000

function remember(name: string, outcome: string, input: string): void {
  const known = (corpus[name] ??= {})
  const shortest = known[outcome]
  if (shortest === undefined && Object.keys(known).length >= outcomes && !outcome.startsWith('failed')) return
  if (shortest === undefined) counts.outcomes++
  if (shortest === undefined || input.length < shortest.length) known[outcome] = input
}

function report(name: string, problem: string, input: string): void {
  counts.failures++
  console.log(`${name}: ${problem}\n  ${JSON.stringify(input).slice(0, 2000)}`)
  remember(name, `failed: ${problem.slice(0, 80)}`, input)
}

/** Again, so that what the process does beside it does not count. */
async function isSlow(run: () => unknown): Promise<boolean> {
  for (let n = 0; n < 5; n++) {
    const from = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(from)
    if ((user + system) / 1000 < slow) return false
  }
  return true
}

async function judge(name: string, input: string): Promise<void> {
  const target = targets[name]
  if (!target) throw new Error(`There is no parser ${name}: ${Object.keys(targets).join(', ')}`)
  counts.inputs++
  const begun = performance.now()
  try {
    const outcome = await target.run(input)
    remember(name, outcome, input)
    if (performance.now() - begun > slow && (await isSlow(() => target.run(input))))
      report(name, 'slow', input)
  } catch (error) {
    report(name, error instanceof Error ? error.message : String(error), input)
  }
}

for (let turn = 0; Date.now() < end; turn++)
  for (const name of names) {
    const target = targets[name]
    if (!target) throw new Error(`There is no parser ${name}: ${Object.keys(targets).join(', ')}`)
    const inputs = mutated(target, Object.values(corpus[name] ?? {}))
    for (const input of fc.sample(inputs, { seed: seed + turn, numRuns: round })) await judge(name, input)
  }

if (values.save) writeCorpus(corpus)
console.log(
  `seed ${seed}: ${counts.inputs} inputs, ${counts.outcomes} new outcomes, ${counts.failures} failures`,
)
if (counts.failures > 0) process.exitCode = 1
