import type { Part } from './run-parts.ts'

const vitest = (project: string, args: readonly string[]): Part => ({
  name: [project, ...args].join(' '),
  command: 'vitest',
  args: ['run', '--config', 'test/vitest.config.ts', '--project', project, ...args],
})

/** The suites of `npm test -- <suite>`, with the arguments that follow the name. */
export const suites: Readonly<Record<string, (...args: readonly string[]) => Part>> = {
  unit: (...args) => vitest('unit', args),
  browser: (...args) => vitest('browser', args),
  parsers: (...args) => ({
    name: ['parsers', ...args].join(' '),
    command: process.execPath,
    args: ['test/parsers/main.ts', ...args],
  }),
}
