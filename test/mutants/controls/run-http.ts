import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findProperty } from '../../../fuzz/properties/index.ts'
import { judge } from '../../../fuzz/run/judge.ts'
import { profiles } from '../../../fuzz/run/profiles.ts'
import { driveUrl } from '../../../fuzz/targets/url.ts'
import { editsOf } from '../places.ts'
import type { JudgeControl } from './control.ts'

const program = fileURLToPath(new URL('one-provider-app.ts', import.meta.url))

/** The first of the ports of the oracle's world, apart from the usual ones. Each worker has four of ten. */
const firstPort = 4110

/** Judges properties by URL on an application with one provider, whose library has these mutants. */
export const judgeOverHttp: JudgeControl = async (located, jobs, { seed, share, worker }, report) => {
  const port = firstPort + 10 * worker
  const args = [program, String(port), JSON.stringify(editsOf(located))]
  const app = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<void>((resolve) => app.once('exit', () => resolve()))
  try {
    const url = await Promise.race([readLine(app.stdout), ended])
    if (!url) return
    // With some mutants, no provider can be reached.
    const opened = await driveUrl({ url, port }).catch(() => undefined)
    if (!opened) return
    try {
      for (const { property, setup } of jobs) {
        const options = { seed, share, limit: profiles.ci.limit, endOnFailure: true }
        const driver = { ...opened, strategy: 'jwt' as const }
        if (!report(await judge(findProperty(property), setup, driver, options))) return
      }
    } finally {
      await opened.close()
    }
  } finally {
    app.kill()
    await ended
  }
}

async function readLine(output: AsyncIterable<Buffer>): Promise<string | undefined> {
  let printed = ''
  for await (const chunk of output) {
    printed += chunk.toString()
    if (printed.includes('\n')) return printed.trim()
  }
  return undefined
}
