import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What judges the mutants of Stryker: the tests of the charts and of the small modules, and the stories. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [
      'test/{machines,http,cookies,linking}/**/*.test.ts',
      'test/email/{canonical-address,link-token}.test.ts',
      'test/flows/{scenarios,callback-url}.test.ts',
    ],
    testTimeout: 30_000,
  },
})
