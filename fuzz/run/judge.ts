import { requirement, type RequirementId } from 'authmachine/spec'
import fc from 'fast-check'
import { setupsOf, type Property } from '../properties/property.ts'
import type { Driver } from '../targets/target.ts'
import { Breach } from '../world/breach.ts'
import { quote } from '../world/describe.ts'
import { drawCases, listCases, type Cases } from './draw-cases.ts'
import { fingerprint } from './fingerprint.ts'
import { findSignInFault } from './honest-sign-in.ts'
import { writeToken } from './replay.ts'
import { openTally, rowOf, runCase, type Failure, type Tally } from './run-case.ts'
import { showInput } from './show-input.ts'
import { refusesHonest, type Judgement } from './verdict.ts'
import { whyNot } from './why-not.ts'

/** Options for running a property. */
export interface JudgeOptions {
  readonly seed: number
  /** The share of its runs; 1 with profile `ci`. */
  readonly share: number
  /** Whether all listed cases run, and at least twenty that check something. @default false */
  readonly isThorough?: boolean
  /** Milliseconds after which no new case starts. */
  readonly limit: number
  /** Runs only the case at this path. */
  readonly path?: string | undefined
  /**
   * Requirements that failed before. If a case breaks one of them again, it ends, and the other requirements are
   * judged.
   * @default []
   */
  readonly broken?: readonly RequirementId[]
  /** Whether to stop at the first failing case without shrinking it. @default false */
  readonly endOnFailure?: boolean
}

type Conclusion = Pick<Judgement, 'verdict' | 'broken' | 'finding' | 'reason'>

const { performance } = globalThis

/**
 * The maximum number of rounds of a property, if the first round misses a situation or a requirement by chance. The
 * first value applies while its cases check something, the second while they do not.
 */
const rounds = { checking: 40, idle: 12 }

/** The longest list of cases that every run tries whole. */
const shortList = 24

/** The number of cases without a list that a thorough run must check, if the property has as many. */
const thorough = 20

/** With fewer cases, chance may explain why most of them checked nothing, so another round follows. */
const conclusive = 30

/**
 * The share of cases that must check something, for a property that lists no situations. Cases that need something that
 * the target lacks do not count.
 */
const requiredShare = 0.25

/** Tests one property on one application of a target, in this thread. */
export async function judge(
  property: Property,
  setup: string,
  driver: Driver,
  options: JudgeOptions,
): Promise<Judgement> {
  const started = performance.now()
  const proves = property.proves.filter((id) => !options.broken?.includes(id))
  const tally = openTally()
  const unclaimed = findUnclaimed(proves, driver)
  const conclusion = await conclude()
  const { runs, spread, checks, points, errors, hops } = tally
  return {
    property: property.name,
    setup,
    proves,
    ...conclusion,
    ...(Object.keys(unclaimed).length > 0 && { unclaimed }),
    runs,
    spread,
    checks,
    points,
    errors,
    ...(Object.keys(hops).length > 0 && { hops }),
    took: Math.round(performance.now() - started),
  }

  async function conclude(): Promise<Conclusion> {
    const application = new Map(Object.entries(setupsOf(property))).get(setup)
    if (!application) throw new Error(`${property.name} has no application called ${setup}`)
    const excuse = whyNot(property, application, driver)
    if (excuse) return excuse
    const drawn = drawCases(property, driver)
    for (let round = 0; round < (tally.proper > 0 ? rounds.checking : rounds.idle); round++) {
      const seed = options.seed + round
      const limit = options.limit - (performance.now() - started)
      const predicate = async (salt: number, input: unknown) => {
        // Without this, fast-check would continue with neighbours of the replayed case.
        if (options.path !== undefined && tally.runs > 0) return
        await runCase(property, driver, application, tally, [salt, input], options.broken)
      }
      const details = await runRound(drawn, predicate, {
        ...options,
        seed,
        limit: Math.max(1, limit),
        wanted: countWanted(property, drawn, options),
      })
      if (details.failed && tally.failure)
        return describeFailure(tally.failure, details, {
          property,
          setup,
          seed,
          isLibrary: driver.features.has('setup'),
        })
      if (options.path !== undefined) return { verdict: 'PASS' }
      const isComplete =
        findGap(property, tally, options) === undefined &&
        checksAll(proves, tally, unclaimed) &&
        (tally.runs >= conclusive || hasEvidence(property, tally)) &&
        tally.proper >= countThorough(property, drawn, options)
      // The clock alone does not show a timeout, because a timer may fire a moment too early.
      const isAbsent = tally.absent.times === tally.runs
      if (isComplete || isAbsent || details.interrupted || performance.now() - started >= options.limit) break
    }
    const judged = judgeCases(property, tally, { ...options, wanted: countWanted(property, drawn, options) })
    if (judged.verdict !== 'PASS') return judged
    const fault = await findSignInFault(driver, application.strategy, tally.attempts)
    return fault === undefined
      ? judged
      : { verdict: 'INCONCLUSIVE', reason: `${refusesHonest} ${fault}, so other refusals prove nothing` }
  }
}

type Details = fc.RunDetails<[number, unknown]>

async function runRound(
  cases: Cases,
  predicate: (salt: number, input: unknown) => Promise<void>,
  { seed, limit, wanted, path, endOnFailure }: JudgeOptions & { readonly wanted: number },
): Promise<Details> {
  return fc.check(fc.asyncProperty(fc.nat(), cases.input, predicate), {
    seed,
    numRuns: wanted,
    examples: listCases(cases, seed).map((each, at): [number, unknown] => [Math.abs(seed) + at, each]),
    ...(path !== undefined && { path }),
    endOnFailure: endOnFailure ?? path !== undefined,
    interruptAfterTimeLimit: limit,
    markInterruptAsFailure: false,
  })
}

/** Returns the number of cases of a round. */
function countWanted(
  { runs, cases: all = [] }: Property,
  cases: Cases,
  { share, isThorough }: JudgeOptions,
): number {
  // A list with as many cases as the property runs has no case to run instead of one about a missing provider.
  const kept = isThorough && all.length >= runs ? cases.listed.length / all.length : 1
  // A share such as 0.1 / 3 is not exact.
  const drawn = Math.max(1, Math.ceil(runs * share * kept - 1e-9))
  const listed = countListed(cases)
  return isThorough || listed <= shortList ? Math.max(drawn, listed) : drawn
}

/** Returns the number of cases that must check something. For a list of cases, it is the length of the list. */
function countThorough({ runs }: Property, { listed }: Cases, { isThorough = false }: JudgeOptions): number {
  return isThorough && listed.length === 0 ? Math.min(thorough, runs) : 0
}

function countListed({ listed, parts }: Cases): number {
  return listed.length + parts.length
}

interface FailedCase {
  readonly property: Property
  readonly setup: string
  readonly seed: number
  readonly isLibrary: boolean
}

function describeFailure(
  { error, world }: Failure,
  details: Details,
  { property, setup, seed, isLibrary }: FailedCase,
): Conclusion {
  const veil = world?.history.veil ?? String
  const says = veil(error instanceof Error ? error.message : String(error))
  const frames = world?.playback?.frames(veil)
  const path = details.counterexamplePath ?? ''
  const finding = {
    says,
    ...(error instanceof Breach && error.meaning && { meaning: error.meaning }),
    trace: world?.history.words ?? [],
    // A library has no address to which a user could send them.
    commands: isLibrary ? [] : endScript(world?.history.commands ?? [], says),
    ...(frames && { frames }),
    fingerprint: fingerprint(property.name, setup, world?.history.words ?? []),
    input: veil(showInput(details.counterexample?.[1])),
    replay: writeToken({ property: property.name, setup, seed, path }),
  }
  if (error instanceof Breach) return { verdict: 'FAIL', broken: rowOf(property, error), finding }
  const stack = error instanceof Error ? error.stack?.split('\n').slice(0, 6).join('\n') : undefined
  return { verdict: 'ERROR', finding, reason: veil(stack ?? says) }
}

/** Adds a command that prints the failure to the end of a script. */
function endScript(commands: readonly string[], says: string): readonly string[] {
  return commands.length === 0
    ? []
    : [...commands, `echo ${quote(`# The failure: ${says.replaceAll(/\s+/g, ' ')}`)}`]
}

/** Returns the verdict on cases of which none failed: a PASS needs cases that checked something, in every situation. */
function judgeCases(
  property: Property,
  tally: Tally,
  options: JudgeOptions & { readonly wanted: number },
): Conclusion {
  const { runs, proper, unreached, absent } = tally
  if (runs > 0 && absent.times === runs) return { verdict: 'SKIP', reason: absent.why }
  if (proper === 0 && tally.repeated !== undefined)
    return { verdict: 'INCONCLUSIVE', reason: `its cases break ${tally.repeated} before they check it` }
  const isLate = runs < options.wanted / 2
  if (!hasEvidence(property, tally) || isLate) {
    const why = unreached.times > 0 ? `, ${unreached.times} stopped because ${unreached.why}` : ''
    const late = isLate ? ', then the time limit was reached' : ''
    return {
      verdict: 'INCONCLUSIVE',
      reason: `${proper} of ${runs} cases checked the property${why}${late}`,
    }
  }
  const gap = findGap(property, tally, options)
  return gap === undefined ? { verdict: 'PASS' } : { verdict: 'INCONCLUSIVE', reason: gap }
}

/**
 * Returns whether enough cases checked the property. A property that lists situations has a minimum for each instead of
 * the share, and a case that breaks a known requirement again ends before it can check anything.
 */
function hasEvidence({ reaches }: Property, { runs, proper, unreached, absent, repeated }: Tally): boolean {
  const isSparse = !reaches && repeated === undefined && proper < requiredShare * (runs - absent.times)
  return proper > 0 && proper >= unreached.times && !isSparse
}

/** Describes a situation that too few cases reached. */
function findGap({ reaches = {} }: Property, { spread }: Tally, { share }: JudgeOptions): string | undefined {
  for (const [situation, least] of Object.entries(reaches)) {
    const reached = spread[situation] ?? 0
    const wanted = Math.ceil(least * Math.min(1, share))
    if (reached < wanted)
      return `"${situation}" was reached ${reached} times, but must be reached ${wanted} times`
  }
  return undefined
}

function checksAll(proves: readonly RequirementId[], { checks }: Tally, unclaimed: object): boolean {
  return proves.map((id) => requirement(id).id).every((id) => checks[id] || id in unclaimed)
}

/** Returns the capabilities that rows of the property need, wholly or in part, and the target does not declare. */
function findUnclaimed(proves: readonly RequirementId[], { capabilities }: Driver): Record<string, string> {
  return Object.fromEntries(
    proves.flatMap((id) => {
      const { id: name, capability } = requirement(id)
      return capability === undefined || capabilities.has(capability) ? [] : [[name, capability]]
    }),
  )
}
