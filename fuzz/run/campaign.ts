import { setEnvironmentData } from 'node:worker_threads'
import type { LibraryPlace } from '../targets/find-target.ts'
import { exportKeys, keysName } from '../world/idp/keys.ts'
import type { Job } from './job.ts'
import { readToken } from './replay.ts'
import { runThread, type Renewal } from './run-thread.ts'
import type { Judgement } from './verdict.ts'

export interface CampaignOptions {
  /** Threads at once. */
  readonly threads: number
  /**
   * Properties that share a thread, one after the other. What is not well there is judged again in one of its own, and
   * that counts: it may be what an earlier application left.
   */
  readonly perThread: number
  /** Has each property modules of the target for itself? A target that cannot be loaded anew has a thread for each then. */
  readonly anew: boolean
  /** Milliseconds after which no new thread is begun. */
  readonly time?: number | undefined
  readonly tell: (judgement: Judgement) => void
}

/** Judges a library by many properties side by side. @returns the jobs for which there was no time */
export async function runCampaign(
  target: LibraryPlace,
  jobs: readonly Job[],
  { threads, perThread, anew, time = Infinity, tell }: CampaignOptions,
): Promise<readonly Job[]> {
  // Keys take long to make, and every thread's providers would make their own.
  setEnvironmentData(keysName, await exportKeys())
  const started = performance.now()
  const renewal = anew ? 'each' : 'never'
  const together = anew && !target.renewable ? 1 : perThread
  const queue = [...jobs]
  const work = async () => {
    while (queue.length > 0 && performance.now() - started < time) {
      const batch = queue.splice(0, together)
      for (const [job, judgement] of await judgeTogether(target, batch, renewal, tell)) {
        const alone = batch.length === 1 ? judgement : await judgeAlone(target, job)
        tell(await confirm(target, job, alone))
      }
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return queue
}

/** Judges in one thread, and tells what is well. @returns the others, which are told when they are confirmed */
async function judgeTogether(
  target: LibraryPlace,
  jobs: readonly Job[],
  renewal: Renewal,
  tell: CampaignOptions['tell'],
): Promise<readonly (readonly [Job, Judgement])[]> {
  const doubted: [Job, Judgement][] = []
  const left = [...jobs]
  const sort = (judgement: Judgement) => {
    const job = left.shift()
    if (job && doubtful.has(judgement.verdict)) doubted.push([job, judgement])
    else tell(judgement)
  }
  await runThread(target, jobs, sort, renewal)
  return doubted
}

const doubtful = new Set<string>(['FAIL', 'INCONCLUSIVE', 'ERROR'] satisfies Judgement['verdict'][])

async function judgeAlone(target: LibraryPlace, job: Job): Promise<Judgement> {
  let judgement: Judgement | undefined
  await runThread(target, [job], (told) => void (judgement = told))
  if (!judgement) throw new Error(`${job.property} came to no end`)
  return judgement
}

/**
 * A case that failed has to fail again by its token, before any other case. One that does not came of what earlier cases
 * left in the modules of the target: nobody could follow it, and it may be about something else.
 */
async function confirm(target: LibraryPlace, job: Job, judgement: Judgement): Promise<Judgement> {
  const { verdict, finding, broken, ...rest } = judgement
  if (verdict !== 'FAIL' || !finding) return judgement
  const again = await judgeAlone(target, { ...job, path: readToken(finding.replay).path })
  if (again.broken === broken) return judgement
  const reason = `a case failed after others, and not by itself: ${finding.says}`
  return { ...rest, verdict: 'INCONCLUSIVE', reason }
}
