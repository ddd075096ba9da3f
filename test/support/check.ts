/**
 * `npm run check`: checks a change within a minute. Checks types, lint and format of the changed files, the structure
 * of the repository, the requirements, and the unit tests closest to the change: all differences from `main` (or from
 * the named commit or branch), committed or not.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chooseTests, readProject } from './choose-tests.ts'
import { runStages, script, type Part } from './run-parts.ts'

const top = fileURLToPath(new URL('../../', import.meta.url))
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: top, encoding: 'utf8' }).trim()

const base = git('merge-base', process.argv[2] ?? 'main', 'HEAD')
const differing = git('diff', '--name-only', '--diff-filter=d', base)
const untracked = git('ls-files', '--others', '--exclude-standard')
const changed = `${differing}\n${untracked}`.split('\n').filter(Boolean)
const sources = changed.filter((file) => /\.[cm]?[jt]sx?$/.test(file))

/** The number of test files that run within half a minute on two processors. */
const mostTests = 24
const { chosen, others } = chooseTests(await readProject(), changed, mostTests)
const always = ['test/house.test.ts', 'test/lasting-objects.test.ts', 'test/trace.test.ts'].filter((file) =>
  existsSync(`${top}${file}`),
)
const vitest = ['run', '--config', 'test/vitest.config.ts', '--project', 'unit', '--tags-filter', '!slow']
const tests = [...new Set([...always, ...chosen])]

const list = (name: string, command: string, args: readonly string[], files: readonly string[]): Part[] =>
  files.length === 0 ? [] : [{ name, command, args: [...args, ...files] }]

console.log(
  `${changed.length} files differ from ${base.slice(0, 7)}; running ${tests.length} test files for them.`,
)
process.exitCode = await runStages(
  [
    [
      [script('typecheck')],
      [
        ...list('format', 'prettier', ['--check', '--ignore-unknown'], changed),
        ...list('lint', 'oxlint', ['--type-aware', '--deny-warnings'], sources),
        ...list('tests', 'vitest', vitest, tests),
      ],
    ],
  ],
  'npm run check',
)
if (others > 0) console.log(`${others} more test files import what changed: npm test -- unit`)
