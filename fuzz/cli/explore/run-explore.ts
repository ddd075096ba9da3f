import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { escapeLines } from 'authmachine/instrumented'
import { configurations } from '../../explore/configurations.ts'
import type { Exploration } from '../../explore/explore.ts'
import { exploreProfiles, isProfile } from '../../explore/profiles.ts'
import { isLeftOut, type Outcome, runExploration } from '../../explore/run.ts'
import {
  sumUp,
  tellCharts,
  tellMerged,
  tellRequests,
  tellStory,
  writeExplorations,
} from '../../report/exploration.ts'
import { findTarget, type LibraryPlace } from '../../targets/find-target.ts'
import { readNumber, UsageError } from '../options.ts'

/** The output of `authmachine-conformance explore --help`. */
export const exploreHelp = `Tries every sequence of what people do with a library, up to a length, and tells the shortest that break a rule.

Usage: authmachine-conformance explore <target> [options]

Targets: ours, ours-everything, a published one (auth-core@0.41.3), or the path of a module (see the guide)

Options:
  --profile <name>         ${Object.keys(exploreProfiles).join(', ')} (default: smoke)
  --only <names>           configurations by the start of their names: mails,linking
  --depth <number>         the number of actions in a sequence
  --transitions <number>   stop a configuration after so many
  --threads <number>       number of threads (default: one per processor)
  --check-merged           try every action in both of two states that are merged, and compare what happens
  --replay <sequence>      repeat one sequence, as a report names it
  -o, --out <directory>    where to write the sequences to play (default: conformance-report)

Configurations:
${configurations.map(({ name }) => `  ${name}`).join('\n')}

Exit codes: 0 no rule is broken, 1 some are, or merged states differ, 2 an error of the oracle or the command line.
`

/** Where `explore` writes. */
export interface Streams {
  readonly print: (text: string) => void
}

/**
 * Runs `authmachine-conformance explore`.
 *
 * @returns the exit code
 * @throws {UsageError} if an option is invalid
 */
export async function runExplore(args: readonly string[], { print }: Streams): Promise<number> {
  const { help, word, out, ...options } = readExploreOptions(args)
  if (help || word === undefined) {
    print(exploreHelp)
    return help ? 0 : 2
  }
  const target = findTarget(word)
  if (target.kind !== 'library')
    throw new UsageError(`Expected a library to explore, got "${word}": a running application cannot go back`)
  const report = (outcome: Outcome) => print(escapeLines(`${target.name}: ${sumUp(outcome)}\n`))
  const outcomes = await runExploration(target, { ...options, report })
  if (options.replay)
    for (const story of outcomes.flatMap((each) => (isLeftOut(each) ? [] : each.counterexamples.slice(0, 1))))
      print(escapeLines(`\n${tellRequests(story)}\n`))
  return conclude(target, outcomes, out, print)
}

async function conclude(
  { name }: LibraryPlace,
  outcomes: readonly Outcome[],
  out: string,
  print: Streams['print'],
): Promise<number> {
  const explorations = outcomes.filter((outcome): outcome is Exploration => !isLeftOut(outcome))
  if (explorations.length === 0) throw new UsageError(`${name} can run none of these configurations`)
  for (const each of explorations)
    for (const story of each.counterexamples) print(escapeLines(`\n${tellStory(each, story)}\n`))
  const page = await writeExplorations(name, explorations)
  if (page !== undefined) {
    await mkdir(out, { recursive: true })
    await writeFile(join(out, 'sequences.html'), page)
    print(`\nPlay them: ${join(out, 'sequences.html')}\n`)
  }
  const compared = explorations.filter(({ merged }) => merged.pairs > 0)
  if (compared.length > 0) print(escapeLines(`\n${compared.map(tellMerged).join('\n')}\n`))
  const charts = tellCharts(explorations)
  if (charts !== undefined) print(`\n${charts}\n`)
  const total = explorations.reduce((sum, { transitions }) => sum + transitions, 0)
  const broken = explorations.flatMap(({ counterexamples }) => counterexamples).length
  const least = Math.min(...explorations.map(({ depth }) => depth))
  print(`\n${broken} broken; ${total} transitions, every sequence of at least ${least} actions\n`)
  const differs = compared.some(({ merged }) => merged.differences.length > 0)
  return broken === 0 && !differs ? 0 : 1
}

function readExploreOptions(args: readonly string[]) {
  const { values, positionals } = parse(args)
  const [word, ...more] = positionals
  if (more.length > 0) throw new UsageError(`Expected one target, got "${positionals.join(' ')}"`)
  if (!isProfile(values.profile))
    throw new UsageError(
      `Expected --profile to be one of ${Object.keys(exploreProfiles).join(', ')}, got "${values.profile}"`,
    )
  const profile = exploreProfiles[values.profile]
  return {
    help: values.help === true,
    word,
    out: values.out,
    only: readNames(values.only),
    depth: values.depth === undefined ? profile.depth : readNumber('--depth', values.depth),
    transitions:
      values.transitions === undefined
        ? profile.transitions
        : readNumber('--transitions', values.transitions),
    threads: values.threads === undefined ? undefined : readNumber('--threads', values.threads),
    comparesMerged: values['check-merged'],
    replay: values.replay === undefined ? undefined : readSequence(values.replay),
  }
}

function parse(args: readonly string[]) {
  const options = {
    profile: { type: 'string', default: 'smoke' },
    only: { type: 'string' },
    depth: { type: 'string' },
    transitions: { type: 'string' },
    threads: { type: 'string' },
    replay: { type: 'string' },
    'check-merged': { type: 'boolean' },
    out: { type: 'string', short: 'o', default: 'conformance-report' },
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readNames(text: string | undefined): readonly string[] {
  const words = text?.split(',').filter(Boolean) ?? []
  const unknown = words.find((word) => !configurations.some(({ name }) => name.startsWith(word)))
  if (unknown === undefined) return words
  const names = configurations.map(({ name }) => name).join('; ')
  throw new UsageError(`Expected --only to list starts of ${names}, got "${unknown}"`)
}

/** Parses `configuration:3.0.12`, as a report names a sequence. */
function readSequence(text: string) {
  const [, name, path = ''] = /^(.+):(\d+(?:\.\d+)*)$/.exec(text) ?? []
  if (!configurations.some((each) => each.name === name))
    throw new UsageError(`Expected --replay to be a sequence from a report, got "${text}"`)
  return { configuration: name ?? '', path: path.split('.').map(Number) }
}
