import { setEnvironmentData } from 'node:worker_threads'
import type { LibraryPlace } from '../targets/find-target.ts'
import { exportKeys, keysName } from '../world/idp/keys.ts'
import type { Job } from './job.ts'
import { runThread } from './run-thread.ts'
import type { Judgement } from './verdict.ts'

export interface CampaignOptions {
  /** Threads at once. */
  readonly threads: number
  /** Properties that share a thread, one after the other; 1 gives each a module graph of its own. */
  readonly perThread: number
  /** Milliseconds after which no new thread is begun. */
  readonly time?: number | undefined
  readonly tell: (judgement: Judgement) => void
}

/** Judges a library by many properties side by side. @returns the jobs for which there was no time */
export async function runCampaign(
  target: LibraryPlace,
  jobs: readonly Job[],
  { threads, perThread, time = Infinity, tell }: CampaignOptions,
): Promise<readonly Job[]> {
  // Keys take long to make, and every thread's providers would make their own.
  setEnvironmentData(keysName, await exportKeys())
  const started = performance.now()
  const queue = [...jobs]
  const work = async () => {
    while (queue.length > 0 && performance.now() - started < time)
      await runThread(target, queue.splice(0, perThread), tell)
  }
  await Promise.all(Array.from({ length: threads }, work))
  return queue
}
