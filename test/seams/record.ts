/**
 * Runs every situation on the published library (`npm ci --prefix fuzz/peers/core` installs it) and records the
 * outcomes. With `--check` it writes nothing, and fails if the record differs.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { openPeer } from './library.ts'
import { situations } from './situations/index.ts'
import { playAll } from './situation.ts'

const file = new URL('auth-core-0.41.3.json', import.meta.url)

// A rejecting sender causes an unhandled rejection in the published library, which would end the process.
process.on('unhandledRejection', () => undefined)

const endings = await playAll(situations, openPeer())
if (!process.argv.includes('--check')) await writeFile(file, `${JSON.stringify(endings, null, 2)}\n`)
else if (!isDeepStrictEqual(endings, JSON.parse(await readFile(file, 'utf8')))) {
  console.error('The published library differs from the record: run `node test/seams/record.ts`.')
  process.exitCode = 1
}
