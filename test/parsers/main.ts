/**
 * `npm test -- parsers --seconds 900 --save`: mutates inputs of every parser for that long, and prints each input that
 * fails or is slow. `--save` adds these, and the shortest input for each new outcome, to corpus.json, which `npm test`
 * replays. `--branches` lists the branches of the parsers that no input reached. Names of parsers restrict the run;
 * `--seed` repeats it.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { listUnreached, watchBranches } from './branches.ts'
import { readCorpus, writeCorpus } from './corpus.ts'
import { mutated } from './mutate.ts'
import { parserFiles, targets } from './targets.ts'

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string' },
    seed: { type: 'string' },
    save: { type: 'boolean' },
    branches: { type: 'boolean' },
  },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : Object.keys(targets)
const seconds = Number(values.seconds ?? 60)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
/** Maximum processor time in milliseconds for an input of 20,000 characters. */
const slow = 10
/** Inputs in one round of a parser. */
const round = 500
/** Maximum outcomes per parser in the corpus. */
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

/** Measures again in this thread only, so that the process's other work does not count. */
async function isSlow(run: () => unknown): Promise<boolean> {
  for (let n = 0; n < 5; n++) {
    const from = process.threadCpuUsage()
    await run()
    const { user, system } = process.threadCpuUsage(from)
    if ((user + system) / 1000 < slow) return false
  }
  return true
}

async function judge(name: string, input: string): Promise<void> {
  const target = targets[name]
  if (!target)
    throw new Error(`Unknown parser ${name}. Choose one of these: ${Object.keys(targets).join(', ')}`)
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

function summarise(): string {
  const { inputs, outcomes: found, failures } = counts
  return `seed ${seed}: ${inputs} inputs, ${found} new outcomes, ${failures} failures`
}

/** Runs one round of each parser. */
async function mutateAll(turn: number): Promise<void> {
  for (const name of names) {
    const target = targets[name]
    if (!target)
      throw new Error(`Unknown parser ${name}. Choose one of these: ${Object.keys(targets).join(', ')}`)
    const inputs = mutated(target, Object.values(corpus[name] ?? {}))
    for (const input of fc.sample(inputs, { seed: seed + turn, numRuns: round })) await judge(name, input)
  }
}

const branches = values.branches ? await watchBranches() : undefined
for (let turn = 0, told = Date.now(); Date.now() < end; turn++) {
  await mutateAll(turn)
  if (Date.now() - told < 60_000) continue
  told = Date.now()
  console.log(summarise())
  // An interrupted run keeps what it found.
  if (values.save) writeCorpus(corpus)
}

if (values.save) writeCorpus(corpus)
if (branches)
  for (const place of await listUnreached(branches, parserFiles)) console.log(`not reached: ${place}`)
console.log(summarise())
if (counts.failures > 0) process.exitCode = 1
