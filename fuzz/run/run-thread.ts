import { Worker } from 'node:worker_threads'
import { findProperty, findTheme } from '../properties/index.ts'
import type { LibraryPlace } from '../targets/find-target.ts'
import type { Job } from './job.ts'
import type { Judgement } from './verdict.ts'

/** Milliseconds beyond a property's own limit after which its thread is given up. */
const grace = 60_000

/**
 * Which properties of a thread have the modules of the library for themselves, where these can be loaded anew: each, or
 * one that was not well after others, and is judged again, or none.
 */
export type Renewal = 'each' | 'doubtful' | 'never'

/**
 * Judges properties in a thread of their own, one after the other. What goes wrong in there is an ERROR of the property
 * at hand, and never the end of the campaign.
 * @param tell answers false when no more is to be judged
 */
export function runThread(
  target: LibraryPlace,
  jobs: readonly Job[],
  tell: (judgement: Judgement) => boolean | void,
  renewal: Renewal = 'each',
): Promise<void> {
  return new Promise((resolve) => {
    const left = [...jobs]
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), {
      workerData: { target, jobs: jobs.map((job) => ({ ...job, theme: findTheme(job.property) })), renewal },
      stdout: true,
      stderr: true,
    })
    let complaint = ''
    let started = performance.now()
    let timer: NodeJS.Timeout | undefined
    const wait = () => {
      started = performance.now()
      const [job] = left
      if (job) timer = setTimeout(() => end('the thread did not come to an end'), job.limit + grace)
    }
    const end = (why: string) => {
      clearTimeout(timer)
      for (const { property, setup } of left.splice(0)) {
        const reason = `${why} ${complaint.slice(-2000)}`.trim()
        const took = Math.round(performance.now() - started)
        const { proves } = findProperty(property)
        tell({ property, setup, proves, verdict: 'ERROR', reason, runs: 0, spread: {}, took })
      }
      void worker.terminate().then(() => resolve())
    }
    worker.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    worker.on('message', (judgement: Judgement) => {
      // A thread goes on until it is stopped, and what it says after the end is asked for by nobody.
      if (left.length === 0) return
      clearTimeout(timer)
      left.shift()
      const goesOn = tell(judgement) !== false
      if (!goesOn) left.length = 0
      if (left.length === 0) end('')
      else wait()
    })
    worker.once('error', (error) =>
      end(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    )
    worker.once('exit', (code) => end(`the thread ended with code ${code}`))
    wait()
  })
}
