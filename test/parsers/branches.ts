import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Counts, from now on, which branches of the process run. */
export async function watchBranches(): Promise<Session> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return session
}

/**
 * Lists the functions and branches of these files that did not run, as `src/file.ts:12 first line of the code`. V8
 * lists a function only after it ran or was compiled, and a file only if it was loaded.
 *
 * @param files paths from the top of the repository
 */
export async function listUnreached(session: Session, files: readonly string[]): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result.flatMap(({ url, functions }) => {
    const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url
    if (!files.includes(path)) return []
    const text = readFileSync(fileURLToPath(url), 'utf8')
    const idle = functions.flatMap(({ ranges }) => ranges.filter(({ count }) => count === 0))
    const outermost = idle.filter(
      (range) =>
        !idle.some(
          (other) =>
            other !== range && other.startOffset <= range.startOffset && other.endOffset >= range.endOffset,
        ),
    )
    return outermost.map(({ startOffset, endOffset }) => {
      const line = text.slice(0, startOffset).split('\n').length
      const [code = ''] = text.slice(startOffset, endOffset).trim().split('\n')
      return `${path}:${line} ${code.slice(0, 80)}`
    })
  })
}
