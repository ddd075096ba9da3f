/** A thread that judges properties on applications of a target. */
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
const [{ loadProperty }, { judge }, { prepareDriver }] = await Promise.all([
  import('../properties/load-property.ts'),
  import('./judge.ts'),
  import('./open-driver.ts'),
])

// A port, and no window: it has no origin to send to.
/* oxlint-disable unicorn/require-post-message-target-origin */
const { target, jobs } = workerData as ThreadData
const openDriver = prepareDriver(target)
for (const job of jobs) {
  const property = await loadProperty(job.property, job.theme)
  parentPort?.postMessage(await judge(property, job.setup, await openDriver(), job))
}
