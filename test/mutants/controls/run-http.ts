import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findProperty } from '../../../fuzz/properties/index.ts'
import { judge } from '../../../fuzz/run/judge.ts'
import { profiles } from '../../../fuzz/run/profiles.ts'
import type { Judgement } from '../../../fuzz/run/verdict.ts'
import { driveUrl } from '../../../fuzz/targets/url.ts'
import type { Edit, SourceEdit } from '../edit.ts'
import type { Mutant } from '../mutant.ts'

const program = fileURLToPath(new URL('one-provider-app.ts', import.meta.url))

/** The first of the four ports of the oracle's world, apart from the usual ones. */
const port = 4110

/**
 * Judges properties by URL on an application with one provider, whose library has this mutant. Continues after each while
 * `report` returns true.
 */
export async function judgeOverHttp(
  mutated: readonly [Mutant, Edit] | undefined,
  jobs: readonly { readonly property: string; readonly setup: string }[],
  { seed, share }: { readonly seed: number; readonly share: number },
  report: (judgement: Judgement) => boolean,
): Promise<void> {
  const edit: SourceEdit | undefined = mutated && { ...mutated[1], file: mutated[0].file }
  const args = [program, String(port), ...(edit ? [JSON.stringify(edit)] : [])]
  const app = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<void>((resolve) => app.once('exit', () => resolve()))
  try {
    const url = await Promise.race([readLine(app.stdout), ended])
    if (!url) return
    const opened = await driveUrl({ url, port })
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
