import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { mutantPlugin } from './mutants/mutant-plugin.ts'
import { RecordsFirst } from './support/journeys/last-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Unit tests of the SolidStart example run without its packages, whether installed or not. */
const frameworkMock = {
  find: /^(@solidjs\/router|@solidjs\/start\/middleware|solid-js\/web|authmachine\/solid-start|~\/auth)$/,
  replacement: `${root}test/solid-start/framework.ts`,
}

export default defineConfig({
  root,
  test: {
    // By default, one core stays idle, which is half of a small machine.
    maxWorkers: '100%',
    // The files share a small machine, so a test may have to wait for another.
    testTimeout: 30_000,
    deps: { interopDefault: false },
    expect: { poll: { timeout: 15_000 } },
    sequence: { sequencer: RecordsFirst },
    tags: [{ name: 'slow', description: 'Left out by `npm run check`.' }],
    projects: [
      {
        root,
        plugins: [mutantPlugin(root)],
        resolve: { alias: [frameworkMock] },
        test: {
          name: 'unit',
          // A worker loads the library once instead of once per file. The setup file checks that no file affects another.
          isolate: false,
          setupFiles: ['test/support/check-globals.ts'],
          include: ['test/**/*.test.ts', 'fuzz/**/*.test.ts', 'docs/examples/{features,testing}/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'test/browser/**',
            'test/integrations/**',
            'test/dropin/**',
            'test/bench/**',
            'fuzz/peers/**',
          ],
        },
      },
      {
        root,
        test: { name: 'record', include: ['test/**/*.record.ts'] },
      },
      {
        root,
        plugins: [mutantPlugin(root)],
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/journeys/run-folder.ts'],
          setupFiles: ['test/support/journeys/browser-setup.ts'],
          // One browser at a time: two would share the ports and the processor with the demo under test.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        root,
        test: {
          name: 'integrations',
          include: ['test/integrations/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        root,
        test: {
          name: 'dropin',
          include: ['test/dropin/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'machines/**/*.ts', 'spec/**/*.ts'],
      reportsDirectory: 'coverage',
    },
  },
})
