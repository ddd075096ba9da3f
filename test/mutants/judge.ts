import { properties } from '../../fuzz/properties/index.ts'
import { setupsOf } from '../../fuzz/properties/property.ts'
import { findTarget } from '../../fuzz/targets/find-target.ts'
import { runCampaign } from '../../fuzz/run/campaign.ts'
import type { Job } from '../../fuzz/run/job.ts'
import { profiles } from '../../fuzz/run/profiles.ts'
import { runThread } from '../../fuzz/run/run-thread.ts'
import type { Judgement } from '../../fuzz/run/verdict.ts'
import { explained } from './explained.ts'
import { isDetected } from './detection.ts'
import type { MutantPlace } from './places.ts'
import { rowsBrokenBy } from './rows-broken-by.ts'

export interface JudgeOptions {
  readonly seed: number
  /** The number of mutants that are judged concurrently. */
  readonly threads: number
  readonly report: (judged: JudgedMutant) => void
}

/** The oracle's result for a mutant. */
export interface JudgedMutant {
  readonly id: string
  /** The first property that detected it; undefined for a survivor. */
  readonly by?: Judgement
  /** The number of properties that ran. */
  readonly tried: number
}

/** Judges each mutant, first by the properties that should detect it, then by all others, until one does. */
export async function judgeMutants(
  mutants: readonly MutantPlace[],
  options: JudgeOptions,
): Promise<JudgedMutant[]> {
  const { threads, report } = options
  // Which cases pass a place in a chart is known only when all cases have run.
  const runs = mutants.some(({ touches }) => touches) ? 1 : share
  const sound = await judgeUnchanged(options, runs)
  const judged: JudgedMutant[] = []
  const queue = [...mutants]
  const work = async () => {
    for (let each = queue.shift(); each; each = queue.shift()) {
      const result = await judgeMutant(each, { sound, runs }, options)
      judged.push(result)
      report(result)
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return judged
}

/**
 * The share of a property's runs that is tried first. Properties that do not prove the requirements that the mutant
 * breaks get no other runs.
 */
const share = 0.1

/** Judges the unchanged library with the same cases: only a property that passes there can detect a mutant. */
async function judgeUnchanged({ seed, threads }: JudgeOptions, runs: number): Promise<Judgement[]> {
  const jobs = properties.flatMap((property) =>
    Object.keys(setupsOf(property)).map((setup) => ({
      property: property.name,
      setup,
      seed,
      share: runs,
      limit: profiles.ci.limit,
    })),
  )
  const judged: Judgement[] = []
  const target = findTarget('ours')
  if (target.kind === 'library')
    await runCampaign(target, jobs, {
      threads,
      perThread: profiles.smoke.perThread,
      reloads: false,
      report: (each) => void judged.push(each),
    })
  return judged.filter(({ verdict }) => verdict === 'PASS')
}

/** Returns the judgements whose cases pass a place most often. They get all their runs. */
function mostTouched(judgements: readonly Judgement[], touches: (hop: string) => boolean): Judgement[] {
  const times = ({ hops = {} }: Judgement) =>
    Object.entries(hops).reduce((sum, [hop, count]) => (touches(hop) ? sum + count : sum), 0)
  return judgements.toSorted((a, b) => times(b) - times(a)).slice(0, 20)
}

function jobOf({ property, setup }: Judgement, seed: number, runs: number): Job {
  return { property, setup, seed, share: runs, limit: profiles.ci.limit, endOnFailure: true }
}

/** The results of the unchanged library, by share of the runs. */
interface Unchanged {
  readonly sound: readonly Judgement[]
  readonly runs: number
}

async function judgeMutant(
  { id, place, breaks, touches }: MutantPlace,
  { sound, runs: soundRuns }: Unchanged,
  { seed }: JudgeOptions,
): Promise<JudgedMutant> {
  const broken = rowsBrokenBy({ breaks })
  const isNamed = ({ proves }: Judgement) => proves.some((each) => broken.includes(each))
  const touched = touches ? sound.filter(({ hops = {} }) => Object.keys(hops).some(touches)) : sound
  const quickFirst = touched.toSorted((a, b) => a.took - b.took)
  const named = quickFirst.filter(isNamed)
  const others = quickFirst.filter((each) => !isNamed(each))
  const withRuns = (runs: number) => (each: Judgement) => ({
    ...jobOf(each, seed, runs),
    usual: (each.took * runs) / soundRuns,
  })
  // Most mutants show in a few cases of some property. An explained mutant is not worth more time.
  const jobs = named.map(withRuns(share))
  if (!Object.hasOwn(explained, id))
    jobs.push(
      ...named.map(withRuns(1)),
      ...others.map(withRuns(share)),
      ...(touches ? mostTouched(touched, touches).map(withRuns(1)) : []),
    )
  let tried = 0
  let by: Judgement | undefined
  const look = (judgement: Judgement) => {
    // Judgements arrive in the order of the jobs.
    const job = jobs[tried]
    tried += 1
    if (job && isDetected(judgement, job)) by = judgement
    return by === undefined
  }
  await runThread(place, jobs, look, 'doubtful')
  return { id, tried, ...(by && { by }) }
}
