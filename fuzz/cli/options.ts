import { parseArgs } from 'node:util'
import { requirements } from 'authmachine/spec'
import { opposites } from '../targets/assume-router.ts'
import { profiles, type ProfileName } from '../run/profiles.ts'
import { formats, type Format } from '../report/formats.ts'
import { firstPort } from '../world/places.ts'

/** A mistake in the command line, described for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** All capabilities that a row of the specification may require, with the opposites of those that are assumed. */
const capabilities = [...new Set(requirements.flatMap(({ capability }) => capability ?? []))]
  .map((name) => opposites.get(name) ?? name)
  .toSorted()

const options = {
  profile: { type: 'string', default: 'smoke' },
  only: { type: 'string' },
  seed: { type: 'string' },
  seeds: { type: 'string' },
  replay: { type: 'string' },
  baseline: { type: 'string' },
  'update-baseline': { type: 'boolean' },
  corpus: { type: 'string' },
  shard: { type: 'string' },
  time: { type: 'string' },
  threads: { type: 'string' },
  port: { type: 'string' },
  target: { type: 'string' },
  keys: { type: 'string' },
  describe: { type: 'boolean' },
  wait: { type: 'string' },
  capabilities: { type: 'string' },
  'i-own-this': { type: 'boolean' },
  strict: { type: 'boolean' },
  report: { type: 'string' },
  out: { type: 'string', short: 'o', default: 'conformance-report' },
  help: { type: 'boolean', short: 'h' },
} as const

export const help = `Tests a sign-in implementation against security requirements.

Usage: authmachine-conformance <target>... [options]
       authmachine-conformance <target> --replay <token>
       authmachine-conformance explore <target> [options]   try every sequence of actions: explore --help
       authmachine-conformance merge <shard.json>... [options]
       authmachine-conformance init [<url>] [options]   write a description for --target: init --help
       authmachine-conformance world [options]          run the providers and the mailbox: world --help

Targets:
  ours                         this library
  ours-everything              this library, with optional features in every application
  ours-gated                   this library, with a gate in every application
  <file>                       a module whose default export is a target (see the guide)
  http://localhost:3000/auth   a running application, configured as the guide describes

Options:
  --profile <name>       ${Object.keys(profiles).join(', ')} (default: smoke)
  --only <ids>           requirements or families: TX,SE-04
  --seed <number>        repeat the cases of an earlier run
  --seeds <number>       run everything with this many seeds, and show where they disagree
  --replay <token>       run one case of a report again
  --baseline <file>      known failures; one that no longer occurs fails the run
  --update-baseline      write the current failures to that file
  --corpus <file>        failures of earlier runs, tried first; one that passes is removed
  --shard <i/n>          run part i of n
  --time <duration>      90s or 10m; cases not started by then are INCONCLUSIVE
  --threads <number>     number of threads (default: one per processor)
  --target <file>        for a URL: a description of its routes, if they are not those of Auth.js
  --describe             with --target: try each member of the description, and report misfits
  --keys <file>          for a URL: keep the keys of the oracle’s providers in a file
  --port <number>        for a URL: first of the oracle’s four ports (default: ${firstPort})
  --wait <duration>      for a URL: how long to wait for the application to respond
  --capabilities <names> for a URL: the application’s capabilities; see the guide
  --i-own-this           for a URL on another machine: confirm that you own it and allow the attack
  --strict               a warning fails the run
  --report <formats>     ${formats.join(', ')}; written to the directory of --out
  -o, --out <directory>  (default: conformance-report)

Exit codes: 0 passed, 1 failed, 2 an error of the oracle or the command line, 3 inconclusive.
`

/** Parses the command line. @throws {UsageError} */
export function readOptions(args: readonly string[]) {
  const { values, positionals } = parse(args)
  return {
    words: positionals,
    help: values.help === true,
    profile: readProfile(values.profile),
    only: values.only?.split(',').filter(Boolean) ?? [],
    seed: values.seed === undefined ? undefined : readNumber('--seed', values.seed),
    seeds: values.seeds === undefined ? undefined : readCount('--seeds', values.seeds),
    replay: values.replay,
    baseline: values.baseline,
    updatesBaseline: values['update-baseline'] === true,
    corpus: values.corpus,
    shard: values.shard === undefined ? undefined : readShard(values.shard),
    time: values.time === undefined ? undefined : readDuration('--time', values.time),
    wait: values.wait === undefined ? undefined : readDuration('--wait', values.wait),
    threads: values.threads === undefined ? undefined : readNumber('--threads', values.threads),
    application: {
      ...(values.port !== undefined && { port: readNumber('--port', values.port) }),
      ...(values.capabilities !== undefined && { capabilities: readCapabilities(values.capabilities) }),
      ...(values.keys !== undefined && { keys: values.keys }),
      ...(values['i-own-this'] && { isOwn: true }),
    },
    target: values.target,
    describe: values.describe === true,
    strict: values.strict === true,
    reports: values.report === undefined ? [] : readFormats(values.report),
    out: values.out,
  }
}

export type Options = ReturnType<typeof readOptions>

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readProfile(name: string): ProfileName {
  if (Object.hasOwn(profiles, name)) return name as ProfileName
  throw new UsageError(`Expected --profile to be one of ${Object.keys(profiles).join(', ')}, got "${name}"`)
}

/** @throws {UsageError} */
export function readNumber(option: string, text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new UsageError(`Expected ${option} to be a whole number, got "${text}"`)
}

function readCount(option: string, text: string): number {
  const count = readNumber(option, text)
  if (count >= 1) return count
  throw new UsageError(`Expected ${option} to be at least 1, got "${text}"`)
}

function readCapabilities(text: string): string[] {
  const names = text.split(',').filter(Boolean)
  const unknown = names.find((name) => !capabilities.includes(name))
  if (unknown === undefined) return names
  throw new UsageError(`Expected --capabilities to list some of ${capabilities.join(', ')}, got "${unknown}"`)
}

function readShard(text: string) {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (shard.index >= 1 && shard.index <= shard.of) return shard
  throw new UsageError(`Expected --shard to be a part like 1/4, got "${text}"`)
}

function readDuration(option: string, text: string): number {
  const [, number, unit] = /^(\d+)(s|m)$/.exec(text) ?? []
  if (number !== undefined) return Number(number) * (unit === 'm' ? 60_000 : 1000)
  throw new UsageError(`Expected ${option} to be a duration like 90s or 10m, got "${text}"`)
}

function readFormats(text: string): Format[] {
  return text.split(',').map((word) => {
    const format = formats.find((each) => each === word)
    if (format) return format
    throw new UsageError(`Expected --report to list some of ${formats.join(', ')}, got "${word}"`)
  })
}
