import { setEnvironmentData } from 'node:worker_threads'
import type { LibraryPlace } from '../targets/find-target.ts'
import { exportKeys, keysName } from '../world/idp/keys.ts'
import type { Job } from './job.ts'
import { runThread } from './run-thread.ts'
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
  const place = anew ? target : { ...target, renewable: undefined }
  const together = anew && !target.renewable ? 1 : perThread
  const queue = [...jobs]
  const work = async () => {
    while (queue.length > 0 && performance.now() - started < time)
      for (const job of await judgeTogether(place, queue.splice(0, together), tell))
        await runThread(place, [job], tell)
  }
  await Promise.all(Array.from({ length: threads }, work))
  return queue
}

/** Judges in one thread. @returns the jobs that are to be judged again, each in its own; these are not told */
async function judgeTogether(
  target: LibraryPlace,
  jobs: readonly Job[],
  tell: CampaignOptions['tell'],
): Promise<readonly Job[]> {
  const again: Job[] = []
  const left = [...jobs]
  await runThread(target, jobs, (judgement) => {
    const job = left.shift()
    if (job && jobs.length > 1 && doubtful.has(judgement.verdict)) again.push(job)
    else tell(judgement)
  })
  return again
}

const doubtful = new Set<string>(['FAIL', 'INCONCLUSIVE', 'ERROR'] satisfies Judgement['verdict'][])
