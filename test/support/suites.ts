import type { Part } from './run-parts.ts'

const vitest = (project: string, args: readonly string[]): Part => ({
  name: [project, ...args].join(' '),
  command: 'vitest',
  args: ['run', '--config', 'test/vitest.config.ts', '--project', project, ...args],
})

/** The tests that use `sample`. */
const sampled = [
  'test/explore/compare-merged.test.ts',
  'test/faults/account-changes.test.ts',
  'test/flows/scenarios.test.ts',
  'test/races/account-policy.test.ts',
]

/** The name of all suites with every case. */
export const whole = 'whole'

/** The name of the suites that install other packages. */
export const installed = 'installed'

/** The suites of `npm test -- <suite>`, with the arguments that follow the name. */
export const suites: Readonly<Record<string, (...args: readonly string[]) => Part>> = {
  unit: (...args) => vitest('unit', args),
  browser: (...args) => vitest('browser', args),
  /** The long tests of which `unit` runs only a sample. */
  thorough: (...args) => ({
    ...vitest('unit', [...sampled, ...args]),
    name: 'thorough',
    env: { THOROUGH: '1' },
  }),
  parsers: (...args) => ({
    name: ['parsers', ...args].join(' '),
    command: process.execPath,
    args: ['test/parsers/main.ts', ...args],
  }),
}
