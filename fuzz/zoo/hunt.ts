import { properties } from '../properties/index.ts'
import { setupsOf } from '../properties/property.ts'
import { findTarget } from '../targets/find-target.ts'
import { runCampaign } from '../run/campaign.ts'
import type { Job } from '../run/job.ts'
import { profiles } from '../run/profiles.ts'
import { runThread } from '../run/run-thread.ts'
import type { Judgement } from '../run/verdict.ts'
import { explained } from './explained.ts'
import type { Prey } from './prey.ts'

export interface HuntOptions {
  readonly seed: number
  readonly threads: number
  readonly tell: (catchOrNot: Hunted) => void
}

/** What became of a mutant. */
export interface Hunted {
  readonly id: string
  /** The first property that noticed it; undefined for a survivor. */
  readonly by?: Judgement
  /** How many properties were tried. */
  readonly tried: number
}

/** Judges each mutant by the properties that should notice it first, then by all others, until one does. */
export async function hunt(prey: readonly Prey[], options: HuntOptions): Promise<Hunted[]> {
  const { threads, tell } = options
  // Which cases come by a place in a chart shows when they all are run.
  const sound = await judgeUnbroken(options, prey.some(({ touches }) => touches) ? 1 : share)
  const hunted: Hunted[] = []
  const queue = [...prey]
  const work = async () => {
    for (let each = queue.shift(); each; each = queue.shift()) {
      const result = await huntOne(each, sound, options)
      hunted.push(result)
      tell(result)
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return hunted
}

/** Of the runs that a property asks for: what is tried first, and all that is tried where its author does not name the mutant. */
const share = 0.1

/** What the unbroken library does, by the same cases: only what passes there can notice a fault. */
async function judgeUnbroken({ seed, threads }: HuntOptions, runs: number): Promise<Judgement[]> {
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

/** What comes by a place most often, and is worth all its runs. */
function mostTouched(judgements: readonly Judgement[], touches: (hop: string) => boolean): Judgement[] {
  const times = ({ hops = {} }: Judgement) =>
    Object.entries(hops).reduce((sum, [hop, count]) => (touches(hop) ? sum + count : sum), 0)
  return judgements.toSorted((a, b) => times(b) - times(a)).slice(0, 20)
}

function jobOf({ property, setup }: Judgement, seed: number, runs: number): Job {
  return { property, setup, seed, share: runs, limit: profiles.ci.limit, endOnFailure: true }
}

async function huntOne(
  { id, place, kills, touches }: Prey,
  sound: readonly Judgement[],
  { seed }: HuntOptions,
): Promise<Hunted> {
  const isNamed = ({ proves }: Judgement) => proves.some((each) => kills.includes(each))
  const touched = touches ? sound.filter(({ hops = {} }) => Object.keys(hops).some(touches)) : sound
  const quickFirst = touched.toSorted((a, b) => a.took - b.took)
  const named = quickFirst.filter(isNamed)
  const others = quickFirst.filter((each) => !isNamed(each))
  const withRuns = (runs: number) => (each: Judgement) => jobOf(each, seed, runs)
  // Most faults show in a few cases of some property. Of what nobody can see, no more than these are worth their time.
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
    // A fault that keeps honest people out is noticed, though nobody gets in by it.
    if (judgement.verdict !== 'PASS') by = judgement
    return by === undefined
  }
  await runThread(place, jobs, look, 'doubtful')
  return { id, tried, ...(by && { by }) }
}
