/**
 * `npm test`: the unit tests use every core. The browser mostly waits, so everything else runs in parallel. `npm test --
 * <suite>` runs one suite, with the arguments that follow: `npm test -- unit test/house.test.ts`.
 */
import { runStages, script, type Stage } from './run-parts.ts'
import { suites } from './suites.ts'

const [name, ...args] = process.argv.slice(2)
const stages = name === undefined ? listStages() : chooseSuite(name)
process.exitCode = stages ? await runStages(stages) : 2

/** All suites except those that install other packages, within 300 seconds on two cores. */
function listStages(): readonly Stage[] {
  return [
    // The browser suite opens the site.
    [[script('typecheck')], [script('generated', '--check'), script('docs')]],
    [[script('test', 'unit')]],
    [
      [script('test', 'browser')],
      [script('lint'), script('conformance', 'ours', '--profile', 'smoke', '--seed', '1', '--threads', '1')],
    ],
  ]
}

function chooseSuite(suite: string): readonly Stage[] | undefined {
  const part = suites[suite]?.(...args)
  if (part) return [[[part]]]
  console.error(`Unknown suite \`${suite}\`. Choose one of these: ${Object.keys(suites).join(', ')}.`)
  return undefined
}
