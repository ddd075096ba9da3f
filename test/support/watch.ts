/** `npm run dev`: runs the unit tests closest to each file that you save. Arguments select test files. */
import { execFileSync, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chooseTests, readProject } from './choose-tests.ts'
import { suites } from './suites.ts'
import { watchFiles } from './watch-files.ts'

/** The number of test files that run within a few seconds. */
const mostTests = 8
const top = fileURLToPath(new URL('../../', import.meta.url))
const named = process.argv.slice(2)

function listFiles(): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', args, { cwd: top, encoding: 'utf8' }).trim().split('\n')
}

async function runTests(changed: readonly string[]): Promise<void> {
  // Imports change while you work.
  const { chosen, others } = chooseTests(await readProject(), changed, mostTests)
  const tests = named.length > 0 ? named : chosen
  console.log(`\n${changed.join(', ')}: ${tests.length} test files`)
  if (tests.length > 0) await runUnit(tests)
  if (named.length === 0 && others > 0) console.log(`${others} more import it: npm test -- unit`)
}

async function runUnit(tests: readonly string[]): Promise<void> {
  const part = suites['unit']?.(...tests)
  if (!part) return
  const child = spawn(part.command, part.args, { cwd: top, stdio: ['ignore', 'inherit', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve())
  })
}

watchFiles(top, listFiles, runTests)
console.log('Waiting for a change. Press Ctrl-C to stop.')
