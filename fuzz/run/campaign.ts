import { setEnvironmentData } from 'node:worker_threads'
import type { LibraryPlace } from '../targets/find-target.ts'
import { exportKeys, keysName } from '../world/idp/keys.ts'
import { judgeEach } from './continue.ts'
import type { Job } from './job.ts'
import { readToken } from './replay.ts'
import { runThread, type Renewal } from './run-thread.ts'
import { unconfirmed, type Judgement } from './verdict.ts'

export interface CampaignOptions {
  /** The number of concurrent threads. */
  readonly threads: number
  /**
   * The number of properties per thread, one after the other. A property that does not pass runs again in its own thread,
   * and that result counts, because an earlier application may have left state behind.
   */
  readonly perThread: number
  /**
   * Whether each property gets fresh modules of the target. If the target cannot be reloaded, each property then gets
   * its own thread.
   */
  readonly reloads: boolean
  /** Milliseconds after which no new thread starts. */
  readonly time?: number | undefined
  readonly report: (judgement: Judgement) => void
}

/** Tests a library against many properties in parallel. @returns the jobs that did not start in time */
export async function runCampaign(
  target: LibraryPlace,
  jobs: readonly Job[],
  { threads, perThread, reloads, time = Infinity, report }: CampaignOptions,
): Promise<readonly Job[]> {
  // Keys are slow to generate. Otherwise, the providers of every thread would generate their own.
  setEnvironmentData(keysName, await exportKeys())
  const started = performance.now()
  const renewal = reloads ? 'each' : 'never'
  const together = reloads && !target.renewable ? 1 : perThread
  const queue = [...jobs]
  const work = async () => {
    while (queue.length > 0 && performance.now() - started < time) {
      const batch = queue.splice(0, together)
      for (const [job, judgement] of await judgeTogether(target, batch, renewal, report)) {
        let judged = batch.length === 1 ? judgement : undefined
        const judge = async (each: Job) => {
          const alone = judged ?? (await judgeAlone(target, each))
          judged = undefined
          return confirm(target, each, alone)
        }
        await judgeEach(job, judge, report)
      }
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return queue
}

/** Runs jobs in one thread, and reports those that pass. @returns the others, to report once confirmed */
async function judgeTogether(
  target: LibraryPlace,
  jobs: readonly Job[],
  renewal: Renewal,
  report: CampaignOptions['report'],
): Promise<readonly (readonly [Job, Judgement])[]> {
  const doubted: [Job, Judgement][] = []
  const left = [...jobs]
  const sort = (judgement: Judgement) => {
    const job = left.shift()
    if (job && doubtful.has(judgement.verdict)) doubted.push([job, judgement])
    else report(judgement)
  }
  await runThread(target, jobs, sort, renewal)
  return doubted
}

const doubtful = new Set<string>(['FAIL', 'INCONCLUSIVE', 'ERROR'] satisfies Judgement['verdict'][])

async function judgeAlone(target: LibraryPlace, job: Job): Promise<Judgement> {
  let judgement: Judgement | undefined
  await runThread(target, [job], (told) => void (judgement = told))
  if (!judgement) throw new Error(`${job.property} did not finish`)
  return judgement
}

/**
 * Runs a failed case again by its token, before any other case. If it passes, it depended on state that earlier cases
 * left in the target's modules, and nobody could reproduce it.
 */
async function confirm(target: LibraryPlace, job: Job, judgement: Judgement): Promise<Judgement> {
  const { verdict, finding, broken, ...rest } = judgement
  if (verdict !== 'FAIL' || !finding) return judgement
  const again = await judgeAlone(target, { ...job, path: readToken(finding.replay).path })
  if (again.broken === broken) return judgement
  const reason = `${unconfirmed}: ${finding.says}`
  return { ...rest, verdict: 'INCONCLUSIVE', reason }
}
