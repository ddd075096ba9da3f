import { properties } from '../../fuzz/properties/index.ts'
import { setupsOf } from '../../fuzz/properties/property.ts'
import { findTarget } from '../../fuzz/targets/find-target.ts'
import { runCampaign } from '../../fuzz/run/campaign.ts'
import type { Job } from '../../fuzz/run/job.ts'
import { profiles } from '../../fuzz/run/profiles.ts'
import { runThread } from '../../fuzz/run/run-thread.ts'
import type { Judgement } from '../../fuzz/run/verdict.ts'
import { explained } from './explained.ts'
import type { MutantPlace } from './places.ts'

export interface JudgeOptions {
  readonly seed: number
  /** How many mutants are judged at once. */
  readonly threads: number
  readonly tell: (judged: JudgedMutant) => void
}

/** What the oracle says of a mutant. */
export interface JudgedMutant {
  readonly id: string
  /** The first property that noticed it; undefined for a survivor. */
  readonly by?: Judgement
  /** How many properties were tried. */
  readonly tried: number
}

/** Judges each mutant by the properties that should notice it first, then by all others, until one does. */
export async function judgeMutants(
  mutants: readonly MutantPlace[],
  options: JudgeOptions,
): Promise<JudgedMutant[]> {
  const { threads, tell } = options
  // Only all the cases together show which of them pass a place in a chart.
  const sound = await judgeUnchanged(options, mutants.some(({ touches }) => touches) ? 1 : share)
  const judged: JudgedMutant[] = []
  const queue = [...mutants]
  const work = async () => {
    for (let each = queue.shift(); each; each = queue.shift()) {
      const result = await judgeMutant(each, sound, options)
      judged.push(result)
      tell(result)
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return judged
}

/** The part of a property's runs that is tried first, and all that is tried where no author names the property's rows. */
const share = 0.1

/** Judges the unchanged library by the same cases: only a property that passes there can notice a mutant. */
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
      anew: false,
      tell: (each) => void judged.push(each),
    })
  return judged.filter(({ verdict }) => verdict === 'PASS')
}

/** Returns the judgements whose cases pass a place most often: they are worth all their runs. */
function mostTouched(judgements: readonly Judgement[], touches: (hop: string) => boolean): Judgement[] {
  const times = ({ hops = {} }: Judgement) =>
    Object.entries(hops).reduce((sum, [hop, count]) => (touches(hop) ? sum + count : sum), 0)
  return judgements.toSorted((a, b) => times(b) - times(a)).slice(0, 20)
}

function jobOf({ property, setup }: Judgement, seed: number, runs: number): Job {
  return { property, setup, seed, share: runs, limit: profiles.ci.limit, endOnFailure: true }
}

async function judgeMutant(
  { id, place, breaks, touches }: MutantPlace,
  sound: readonly Judgement[],
  { seed }: JudgeOptions,
): Promise<JudgedMutant> {
  const isNamed = ({ proves }: Judgement) => proves.some((each) => breaks.includes(each))
  const touched = touches ? sound.filter(({ hops = {} }) => Object.keys(hops).some(touches)) : sound
  const quickFirst = touched.toSorted((a, b) => a.took - b.took)
  const named = quickFirst.filter(isNamed)
  const others = quickFirst.filter((each) => !isNamed(each))
  const withRuns = (runs: number) => (each: Judgement) => jobOf(each, seed, runs)
  // Most mutants show in a few cases of some property. An explained one is not worth more time than these.
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
    tried += 1
    // A mutant that only keeps legitimate users out is noticed, too.
    if (judgement.verdict !== 'PASS') by = judgement
    return by === undefined
  }
  await runThread(place, jobs, look, 'doubtful')
  return { id, tried, ...(by && { by }) }
}
