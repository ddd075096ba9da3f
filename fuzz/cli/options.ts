import { parseArgs } from 'node:util'
import { requirements } from 'authmachine/spec'
import { profiles, type ProfileName } from '../run/profiles.ts'
import { formats, type Format } from '../report/formats.ts'
import { firstPort } from '../world/places.ts'

/** What was typed wrongly, as a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** All that a row of the specification may be behind. */
const capabilities = [...new Set(requirements.flatMap(({ capability }) => capability ?? []))].toSorted()

const options = {
  profile: { type: 'string', default: 'smoke' },
  only: { type: 'string' },
  seed: { type: 'string' },
  replay: { type: 'string' },
  baseline: { type: 'string' },
  'update-baseline': { type: 'boolean' },
  shard: { type: 'string' },
  time: { type: 'string' },
  threads: { type: 'string' },
  port: { type: 'string' },
  capabilities: { type: 'string' },
  'i-own-this': { type: 'boolean' },
  report: { type: 'string' },
  out: { type: 'string', short: 'o', default: 'conformance-report' },
  help: { type: 'boolean', short: 'h' },
} as const

export const help = `Judges an implementation of the Auth.js wire protocol by the invariants of its field.

Usage: authmachine-conformance <target>... [options]
       authmachine-conformance <target> --replay <token>
       authmachine-conformance merge <shard.json>... [options]

Targets:
  ours                         this library
  <file>                       a module whose default export is a target (see the guide)
  http://localhost:3000/auth   a running application; see the guide for what it has to be configured with

Options:
  --profile <name>       ${Object.keys(profiles).join(', ')} (default: smoke)
  --only <ids>           invariants or families: TX,SE-04
  --seed <number>        the same cases as before
  --replay <token>       one case, as a report names it
  --baseline <file>      failures that are known; one that does not happen any more is red
  --update-baseline      writes that file from what failed now
  --shard <i/n>          one part of n
  --time <duration>      90s or 10m; what was not begun by then is INCONCLUSIVE
  --threads <number>     at once (default: one a processor)
  --port <number>        for a URL: first of the four ports of the world (default: ${firstPort})
  --capabilities <names> for a URL: what the application claims; see the table of the guide
  --i-own-this           for a URL that is not this machine: it is yours to attack
  --report <formats>     ${formats.join(', ')}; into the directory of --out
  -o, --out <directory>  (default: conformance-report)

Exit codes: 0 all well, 1 something failed, 2 a fault of the oracle or of what was typed, 3 only inconclusive.
`

/** Reads what was typed. @throws {UsageError} */
export function readOptions(args: readonly string[]) {
  const { values, positionals } = parse(args)
  return {
    words: positionals,
    help: values.help === true,
    profile: readProfile(values.profile),
    only: values.only?.split(',').filter(Boolean) ?? [],
    seed: values.seed === undefined ? undefined : readNumber('--seed', values.seed),
    replay: values.replay,
    baseline: values.baseline,
    updatesBaseline: values['update-baseline'] === true,
    shard: values.shard === undefined ? undefined : readShard(values.shard),
    time: values.time === undefined ? undefined : readDuration(values.time),
    threads: values.threads === undefined ? undefined : readNumber('--threads', values.threads),
    application: {
      ...(values.port !== undefined && { port: readNumber('--port', values.port) }),
      ...(values.capabilities !== undefined && { capabilities: readCapabilities(values.capabilities) }),
      ...(values['i-own-this'] && { isOwn: true }),
    },
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

function readNumber(option: string, text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new UsageError(`Expected ${option} to be a whole number, got "${text}"`)
}

function readCapabilities(text: string): string[] {
  const words = text.split(',').filter(Boolean)
  const strange = words.find((word) => !capabilities.includes(word))
  if (strange === undefined) return words
  throw new UsageError(`Expected --capabilities to name some of ${capabilities.join(', ')}, got "${strange}"`)
}

function readShard(text: string) {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (shard.index >= 1 && shard.index <= shard.of) return shard
  throw new UsageError(`Expected --shard to be a part like 1/4, got "${text}"`)
}

function readDuration(text: string): number {
  const [, number, unit] = /^(\d+)(s|m)$/.exec(text) ?? []
  if (number !== undefined) return Number(number) * (unit === 'm' ? 60_000 : 1000)
  throw new UsageError(`Expected --time to be a duration like 90s or 10m, got "${text}"`)
}

function readFormats(text: string): Format[] {
  return text.split(',').map((word) => {
    const format = formats.find((each) => each === word)
    if (format) return format
    throw new UsageError(`Expected --report to name some of ${formats.join(', ')}, got "${word}"`)
  })
}
