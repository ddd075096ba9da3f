/** A thread that judges properties on applications of a target, in a module graph of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { findProperty } from '../properties/index.ts'
import type { LibraryPlace } from '../targets/find-target.ts'
import type { Job } from './job.ts'
import { judge } from './judge.ts'
import { openDriver } from './open-driver.ts'

// A port, and no window: it has no origin to send to.
/* oxlint-disable unicorn/require-post-message-target-origin */
const { target, jobs } = workerData as { readonly target: LibraryPlace; readonly jobs: readonly Job[] }
const driver = await openDriver(target)
for (const job of jobs)
  parentPort?.postMessage(await judge(findProperty(job.property), job.setup, driver, job))
