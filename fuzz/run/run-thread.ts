import { Worker } from 'node:worker_threads'
import { findProperty, findTheme } from '../properties/index.ts'
import type { LibraryPlace } from '../targets/find-target.ts'
import type { Job } from './job.ts'
import type { Judgement } from './verdict.ts'

/** Milliseconds beyond a property's own limit after which its thread is stopped. */
const grace = 60_000

/**
 * Which properties of a thread get fresh modules of a library that can be reloaded: all, only those that failed after
 * others and run again, or none.
 */
export type Renewal = 'each' | 'doubtful' | 'never'

/**
 * Tests properties in a separate thread, one after the other. A crash there is an ERROR of the current property, and
 * never ends the campaign.
 * @param report returns false to stop
 */
export function runThread(
  target: LibraryPlace,
  jobs: readonly Job[],
  report: (judgement: Judgement) => boolean | void,
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
      if (job) timer = setTimeout(() => end('the thread did not finish'), job.limit + grace)
    }
    const end = (why: string) => {
      clearTimeout(timer)
      for (const { property, setup } of left.splice(0)) {
        const reason = `${why} ${complaint.slice(-2000)}`.trim()
        const took = Math.round(performance.now() - started)
        const { proves } = findProperty(property)
        report({ property, setup, proves, verdict: 'ERROR', reason, runs: 0, spread: {}, took })
      }
      void worker.terminate().then(() => resolve())
    }
    worker.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    worker.on('message', (judgement: Judgement) => {
      // A thread runs until it is stopped; messages after the end are ignored.
      if (left.length === 0) return
      clearTimeout(timer)
      left.shift()
      const continues = report(judgement) !== false
      if (!continues) left.length = 0
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
