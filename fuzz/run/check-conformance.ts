import { availableParallelism } from 'node:os'
import { createHash, randomInt } from 'node:crypto'
import { properties } from '../properties/index.ts'
import { setupsOf, type Property } from '../properties/property.ts'
import { findTarget, type Target } from '../targets/find-target.ts'
import { isChosen } from './assess.ts'
import { applyBaseline, type Expected } from './baseline.ts'
import { runCampaign, type CampaignOptions } from './campaign.ts'
import { addReplayed, replayJobs } from './corpus.ts'
import type { Job } from './job.ts'
import { judgeApplication, type Unstarted } from './judge-application.ts'
import { profiles, type ProfileName } from './profiles.ts'
import { readToken } from './replay.ts'
import { makeReport, type ConformanceReport } from './report.ts'
import { sizeJobs, type Size } from './size-jobs.ts'
import { outOfTime, type Judgement } from './verdict.ts'

/** Options of a conformance run. */
export interface ConformanceOptions {
  /** How many cases to run. @default 'smoke' */
  readonly profile?: ProfileName
  /** The requirements to test: ids (`SE-04`) or families (`TX`). @default all */
  readonly only?: readonly string[]
  /** The same seed gives the same cases. @default a random one, which the report names */
  readonly seed?: number
  /** The number of seeds: the campaign runs once with each, and the report shows where they disagree. @default 1 */
  readonly seeds?: number
  /** The part of the campaign to run: `{ index: 1, of: 4 }` is the first quarter. */
  readonly shard?: { readonly index: number; readonly of: number }
  /**
   * Milliseconds after which no new property starts; those not started are INCONCLUSIVE. @default none; five minutes for
   * `smoke` on a running application
   */
  readonly time?: number
  /** Known failures. */
  readonly baseline?: readonly Expected[]
  /** Replay tokens of earlier failures, to try before any other case. @default [] */
  readonly corpus?: readonly string[]
  /** The number of threads. @default one per processor */
  readonly threads?: number
  /** Receives progress: the number of tests, each of one property on one application, then each result. */
  readonly progress?: {
    /** Called once, before the first test. */
    readonly start: (total: number) => void
    /**
     * Called for each result, with the number of tests that have a result: one test can have several results after a
     * failure.
     */
    readonly report: (judgement: Judgement, done: number) => void
  }
}

/** The number of cases that a property has on a running application, or all if it has fewer. */
const leastByUrl = 20

/** Milliseconds after which `smoke` starts no property on a running application. */
const timeByUrl = 5 * 60_000

/**
 * Tests an implementation against every property of the oracle.
 *
 * @param target `ours`, the path of a module whose default export is a `LibraryTarget`, or the URL of the routes of a
 *   running application (`http://localhost:3000/auth`)
 * @example
 * const report = await checkConformance(new URL('./my-target.ts', import.meta.url).pathname, { profile: 'ci' })
 * expect(report.invariants.filter(({ verdict }) => verdict === 'FAIL')).toEqual([])
 */
export async function checkConformance(
  target: string | Target,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const started = performance.now()
  const { profile = 'smoke', seed = randomInt(2 ** 31), baseline = [], progress } = options
  const { share, least, limit, perThread, reloads, spreads } = profiles[profile]
  const place = typeof target === 'string' ? findTarget(target) : target
  const isUrl = place.kind === 'url'
  // Over a network everything takes longer, and a missing mail is only known after a timeout.
  const size: Size = isUrl
    ? { share, least: leastByUrl, limit: 3 * limit, spreads: false, isThorough: true }
    : { share, least, limit, spreads, isThorough: false }
  const time = options.time ?? (isUrl && profile === 'smoke' ? timeByUrl : undefined)
  const listed = listJobs(options)
  const seeds = listSeeds(seed, options.seeds)
  const judgements: Judgement[] = []
  const replayed: Judgement[] = []
  let done = 0
  const runJobs = (jobs: readonly Job[], keep: (judgement: Judgement) => void) => {
    const judged = new Set<string>()
    return run(place, jobs, {
      threads: options.threads ?? availableParallelism(),
      perThread,
      reloads,
      time: time && time - (performance.now() - started),
      report(judgement) {
        keep(judgement)
        const { size: before } = judged
        done += judged.add(JSON.stringify([judgement.property, judgement.setup])).size - before
        progress?.report(judgement, done)
      },
    })
  }
  const replays = replayJobs(options.corpus ?? [], listed)
  progress?.start(replays.length + listed.length * seeds.length)
  await runJobs(replays, (judgement) => void replayed.push(judgement))
  for (const each of seeds) {
    const mark = seeds.length > 1 ? { seed: each } : {}
    const left = await runJobs(
      sizeJobs(listed, size, each),
      (judgement) => void judgements.push({ ...judgement, ...mark }),
    )
    for (const each of left) judgements.push({ ...notStarted(each), ...mark })
  }
  const today = new Date().toISOString().slice(0, 10)
  return makeReport(
    {
      target: place.name,
      date: new Date().toISOString(),
      profile,
      seed,
      ...(seeds.length > 1 && { seeds }),
      ...(options.only && { only: options.only }),
      took: Math.round(performance.now() - started),
      applications: listJobs({}).length * seeds.length,
    },
    applyBaseline(addReplayed(judgements, replayed), baseline, place.name, today),
  )
}

/** Runs the one case of a replay token. */
export async function replayCase(target: string | Target, token: string): Promise<Judgement> {
  const { property, setup, seed, path } = readToken(token)
  const place = typeof target === 'string' ? findTarget(target) : target
  const job: Job = { property, setup, seed, path, share: 1, limit: profiles.ci.limit }
  const judgements: Judgement[] = []
  await run(place, [job], {
    threads: 1,
    perThread: 1,
    reloads: true,
    report: (judgement) => void judgements.push(judgement),
  })
  const [judgement] = judgements
  if (!judgement) throw new Error('The case did not finish')
  return judgement
}

/**
 * Returns seeds that are far enough apart: each property and round adds to its seed, and no two may get the same one.
 */
function listSeeds(first: number, count = 1): number[] {
  return Array.from({ length: count }, (_, n) => first + n * 1000)
}

function run(
  place: Target,
  jobs: readonly Job[],
  options: CampaignOptions,
): Promise<readonly (Job & Partial<Unstarted>)[]> {
  return place.kind === 'url' ? judgeApplication(place, jobs, options) : runCampaign(place, jobs, options)
}

/** Lists the selected properties on their applications. @throws {Error} if there are none */
export function listJobs({ only = [], shard }: ConformanceOptions): Pick<Job, 'property' | 'setup'>[] {
  const isSelected = ({ proves }: Property) => proves.some((id) => isChosen(id, only))
  const jobs = properties
    .filter(isSelected)
    .flatMap((property) =>
      Object.keys(setupsOf(property)).map((setup) => ({ property: property.name, setup })),
    )
  if (jobs.length === 0) throw new Error(`No property tests ${only.join(', ')}`)
  return shard
    ? jobs.filter(({ property, setup }) => hash(`${property} ${setup}`) % shard.of === shard.index - 1)
    : jobs
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

function notStarted({ property, setup, why: reason = outOfTime }: Job & Partial<Unstarted>): Judgement {
  const proves = properties.find(({ name }) => name === property)?.proves ?? []
  return { property, setup, proves, verdict: 'INCONCLUSIVE', reason, runs: 0, spread: {}, took: 0 }
}
