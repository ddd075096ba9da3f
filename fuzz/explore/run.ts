import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { LibraryPlace } from '../targets/find-target.ts'
import { configurations } from './configurations.ts'
import type { Exploration } from './explore.ts'
import type { Limits } from './search.ts'
import type { ThreadData } from './worker.ts'

/** A configuration that a target cannot run. */
export interface LeftOut {
  readonly configuration: string
  readonly reason: string
}

export type Outcome = Exploration | LeftOut

export function isLeftOut(outcome: Outcome): outcome is LeftOut {
  return 'reason' in outcome
}

export interface RunOptions extends Limits {
  /** The configurations, by the start of their names. @default all */
  readonly only?: readonly string[]
  /** The only sequence to try. */
  readonly replay?: { readonly configuration: string; readonly path: readonly number[] } | undefined
  /** @default one per processor */
  readonly threads?: number | undefined
  /** Called as soon as a configuration is complete. Returns false to stop. */
  readonly report?: (outcome: Outcome) => boolean | void
}

/**
 * Explores a library with each configuration, in threads.
 *
 * @returns the outcomes in the order of the configurations
 * @throws {Error} if a thread fails
 */
export async function runExploration(
  target: LibraryPlace,
  { only = [], replay, threads = availableParallelism(), report = () => {}, ...limits }: RunOptions,
): Promise<readonly Outcome[]> {
  const left = configurations
    .map(({ name }) => name)
    .filter((name) => !replay || name === replay.configuration)
    .filter((name) => only.length === 0 || only.some((word) => name.startsWith(word)))
  const order = [...left]
  const outcomes: Outcome[] = []
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const outcome = await inThread({
        target,
        configuration: name,
        limits,
        path: replay?.path,
      })
      outcomes.push(outcome)
      if (report(outcome) === false) left.length = 0
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return outcomes.toSorted((a, b) => order.indexOf(a.configuration) - order.indexOf(b.configuration))
}

/** Each configuration has its own thread, because a library may keep state in its modules. */
function inThread(data: ThreadData): Promise<Outcome> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), {
      workerData: data,
      stderr: true,
    })
    let complaint = ''
    worker.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    worker.once('message', (outcome: Outcome) => {
      resolve(outcome)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', (code) =>
      reject(new Error(`the thread of ${data.configuration} ended with ${code}: ${complaint.slice(-2000)}`)),
    )
  })
}
