/**
 * `npm test`. `npm test -- <suite>` runs one suite, with the arguments that follow: `npm test -- unit test/house.test.ts`.
 * `npm test -- whole` runs all suites, with every case of each.
 */
import { runStages, script, type Stage } from './run-parts.ts'
import { suites, whole } from './suites.ts'

const [name, ...args] = process.argv.slice(2)
const isWhole = name === whole
const stages = name === undefined || isWhole ? listStages() : chooseSuite(name)
process.exitCode = stages ? await runStages(stages, name === undefined ? 'npm test' : undefined) : 2

/** All suites except those that install other packages. */
function listStages(): readonly Stage[] {
  const properties = script('conformance', 'ours', '--seed', '1', '--threads', '1')
  const third = script('conformance', 'ours', '--seed', '1', '--threads', '1', '--shard', '1/3')
  return [
    // The browser suite opens the site.
    [
      [script('typecheck'), script('lint')],
      [script('generated', '--check'), script('docs')],
    ],
    // The browser, and tests that start servers, mostly wait.
    [
      [isWhole ? { ...script('test', 'unit'), env: { THOROUGH: '1' } } : script('test', 'unit')],
      [script('test', 'browser'), isWhole ? properties : third],
    ],
  ]
}

function chooseSuite(suite: string): readonly Stage[] | undefined {
  const part = suites[suite]?.(...args)
  if (part) return [[[part]]]
  console.error(
    `Unknown suite \`${suite}\`. Choose one of these: ${[...Object.keys(suites), whole].join(', ')}.`,
  )
  return undefined
}
