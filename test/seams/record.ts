/**
 * Plays every situation on the published library (`npm run peers` installs it) and writes how each ended to the record.
 * With `--check` nothing is written, and a record that differs fails the run.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { openPeer } from './library.ts'
import { situations } from './situations/index.ts'
import { playAll } from './situation.ts'

const file = new URL('auth-core-0.41.3.json', import.meta.url)

// A sender that rejects reaches this in the published library, and would end the process.
process.on('unhandledRejection', () => undefined)

const endings = await playAll(situations, openPeer())
if (!process.argv.includes('--check')) await writeFile(file, `${JSON.stringify(endings, null, 2)}\n`)
else if (!isDeepStrictEqual(endings, JSON.parse(await readFile(file, 'utf8')))) {
  console.error('The published library behaves otherwise than recorded: run `node test/seams/record.ts`.')
  process.exitCode = 1
}
