import { availableParallelism } from 'node:os'
import { createHash, randomInt } from 'node:crypto'
import { properties } from '../properties/index.ts'
import { setupsOf, type Property } from '../properties/property.ts'
import { findTarget, type Target } from '../targets/find-target.ts'
import { applyBaseline, type Expected } from './baseline.ts'
import { runCampaign, type CampaignOptions } from './campaign.ts'
import type { Job } from './job.ts'
import { judgeApplication } from './judge-application.ts'
import { profiles, type ProfileName } from './profiles.ts'
import { readToken } from './replay.ts'
import { makeReport, type ConformanceReport } from './report.ts'
import type { Judgement } from './verdict.ts'

/** How much is judged, and how. */
export interface ConformanceOptions {
  /** How much is done. @default 'smoke' */
  readonly profile?: ProfileName
  /** Only properties about these: ids (`SE-04`), or families (`TX`). @default all */
  readonly only?: readonly string[]
  /** The cases are the same for the same seed. @default a random one, which the report names */
  readonly seed?: number
  /** A part of the campaign, to run the others elsewhere: `{ index: 1, of: 4 }` is the first quarter. */
  readonly shard?: { readonly index: number; readonly of: number }
  /** Milliseconds after which nothing new is begun; what was not begun is INCONCLUSIVE. */
  readonly time?: number
  /** Failures that are known. */
  readonly baseline?: readonly Expected[]
  /** Threads at once. @default as many as the machine has processors */
  readonly threads?: number
  /** Told how many properties there are to judge, and then of each, as they come. */
  readonly progress?: {
    /** Told once, before the first. */
    readonly start: (total: number) => void
    /** Told of each that is done. */
    readonly tell: (judgement: Judgement) => void
  }
}

/**
 * Judges an implementation by every property of the oracle.
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
  const { share, limit, perThread, anew, applications } = profiles[profile]
  const place = typeof target === 'string' ? findTarget(target) : target
  // Over a network all takes longer, and a mail that does not come has to be waited for.
  const patience = place.kind === 'url' ? 3 * limit : limit
  const listed = listJobs(options)
  const chosen = place.kind === 'library' && applications === 'one' ? chooseOne(listed, seed) : listed
  const jobs = chosen.map((job) => ({ ...job, seed, share, limit: patience }))
  const judgements: Judgement[] = []
  progress?.start(jobs.length)
  const left = await run(place, jobs, {
    threads: options.threads ?? availableParallelism(),
    perThread,
    anew,
    time: options.time,
    tell(judgement) {
      judgements.push(judgement)
      progress?.tell(judgement)
    },
  })
  for (const { property, setup } of left) judgements.push(notBegun(property, setup))
  const today = new Date().toISOString().slice(0, 10)
  return makeReport(
    {
      target: place.name,
      profile,
      seed,
      took: Math.round(performance.now() - started),
      applications: listJobs({}).length,
    },
    applyBaseline(judgements, baseline, place.name, today),
  )
}

/** Runs the one case that a token of a report names. */
export async function replayCase(target: string | Target, token: string): Promise<Judgement> {
  const { property, setup, seed, path } = readToken(token)
  const place = typeof target === 'string' ? findTarget(target) : target
  const job: Job = { property, setup, seed, path, share: 1, limit: profiles.ci.limit }
  const judgements: Judgement[] = []
  await run(place, [job], {
    threads: 1,
    perThread: 1,
    anew: true,
    tell: (judgement) => void judgements.push(judgement),
  })
  const [judgement] = judgements
  if (!judgement) throw new Error('The case came to no end')
  return judgement
}

function run(place: Target, jobs: readonly Job[], options: CampaignOptions): Promise<readonly Job[]> {
  return place.kind === 'url' ? judgeApplication(place, jobs, options) : runCampaign(place, jobs, options)
}

/** The properties on their applications that are asked for. @throws {Error} when none is */
export function listJobs({ only = [], shard }: ConformanceOptions): Pick<Job, 'property' | 'setup'>[] {
  const isAsked = ({ proves }: Property) =>
    only.length === 0 || proves.some((id) => only.some((word) => id === word || id.startsWith(`${word}-`)))
  const jobs = properties
    .filter(isAsked)
    .flatMap((property) =>
      Object.keys(setupsOf(property)).map((setup) => ({ property: property.name, setup })),
    )
  if (jobs.length === 0) throw new Error(`No property is about ${only.join(', ')}`)
  return shard
    ? jobs.filter(({ property, setup }) => hash(`${property} ${setup}`) % shard.of === shard.index - 1)
    : jobs
}

/** Each property on one of its applications, another one under another seed. */
function chooseOne<T extends Pick<Job, 'property' | 'setup'>>(jobs: readonly T[], seed: number): T[] {
  return [...new Set(jobs.map(({ property }) => property))].flatMap((property) => {
    const mine = jobs.filter((job) => job.property === property)
    return mine[hash(`${seed} ${property}`) % mine.length] ?? []
  })
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

function notBegun(property: string, setup: string): Judgement {
  const proves = properties.find(({ name }) => name === property)?.proves ?? []
  const reason = 'the time of the campaign was up'
  return { property, setup, proves, verdict: 'INCONCLUSIVE', reason, runs: 0, spread: {}, took: 0 }
}
