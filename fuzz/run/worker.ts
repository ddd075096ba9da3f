/** A thread that judges properties on applications of a target, in a module graph of its own. */
import module from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { LibraryPlace } from '../targets/find-target.ts'
import type { Job } from './job.ts'

interface ThreadData {
  readonly target: LibraryPlace
  readonly jobs: readonly (Job & { readonly theme: string })[]
}

// What one thread has compiled, the next finds: for this, it has to be told before it loads anything.
if ('enableCompileCache' in module) module.enableCompileCache()
const [{ loadProperty }, { judge }, { openDriver }] = await Promise.all([
  import('../properties/load-property.ts'),
  import('./judge.ts'),
  import('./open-driver.ts'),
])

// A port, and no window: it has no origin to send to.
/* oxlint-disable unicorn/require-post-message-target-origin */
const { target, jobs } = workerData as ThreadData
const driver = await openDriver(target)
for (const job of jobs)
  parentPort?.postMessage(await judge(await loadProperty(job.property, job.theme), job.setup, driver, job))
