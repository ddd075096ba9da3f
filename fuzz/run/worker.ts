/** A thread that tests properties on applications of a target. */
import module from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { LibraryPlace } from '../targets/find-target.ts'
import type { Driver } from '../targets/target.ts'
import type { Job } from './job.ts'
import type { Renewal } from './run-thread.ts'

interface ThreadData {
  readonly target: LibraryPlace
  readonly jobs: readonly (Job & { readonly theme: string })[]
  readonly renewal: Renewal
}

// Threads share compiled code; enable the cache before any import.
if ('enableCompileCache' in module) module.enableCompileCache()
const [{ loadProperty }, { judge }, { prepareDrivers }] = await Promise.all([
  import('../properties/load-property.ts'),
  import('./judge.ts'),
  import('./open-driver.ts'),
])

// A message port has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
const { target, jobs, renewal } = workerData as ThreadData
const { share, renew } = prepareDrivers(target)
for (const [at, job] of jobs.entries()) {
  const property = await loadProperty(job.property, job.theme)
  const judgeOn = async (driver: Promise<Driver>) => judge(property, job.setup, await driver, job)
  const judgement = await judgeOn(renewal === 'each' ? renew() : share())
  const isDoubtful = renewal === 'doubtful' && at > 0 && judgement.verdict !== 'PASS'
  parentPort?.postMessage(isDoubtful ? await judgeOn(renew()) : judgement)
}
