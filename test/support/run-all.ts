/**
 * `npm test`. `npm test -- <suite>` runs one suite, with the arguments that follow: `npm test -- unit test/house.test.ts`.
 * `npm test -- whole` runs all suites, with every case of each.
 */
import { runStages, script, type Stage } from './run-parts.ts'
import { installed, suites, whole } from './suites.ts'

const [name, ...args] = process.argv.slice(2)
const isWhole = name === whole
const stages = chooseStages()
process.exitCode = stages ? await runStages(stages, name === undefined ? 'npm test' : undefined) : 2

function chooseStages(): readonly Stage[] | undefined {
  if (name === undefined || isWhole) return listStages()
  return name === installed ? [listInstalled()] : chooseSuite(name)
}

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

/** The suites that install other packages. Their servers and browsers mostly wait. Those of the first lane build the library. */
function listInstalled(): Stage {
  // By default, the run on the demo stops after five minutes, which is too early on a busy machine.
  const demo = script('conformance:apps', 'demo', '--seed', '1', '--time', '20m')
  return [
    ['test:package', 'test:integrations', 'test:dropin', 'test:runtimes'].map((name) => script(name)),
    [demo, script('test:follow')],
  ]
}

function chooseSuite(suite: string): readonly Stage[] | undefined {
  const part = suites[suite]?.(...args)
  if (part) return [[[part]]]
  console.error(
    `Unknown suite \`${suite}\`. Choose one of these: ${[...Object.keys(suites), whole, installed].join(', ')}.`,
  )
  return undefined
}
