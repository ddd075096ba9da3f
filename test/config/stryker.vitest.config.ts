import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The tests that Stryker runs: unit tests and flow scenarios, without those that read or mutate sources themselves. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [
      'test/{adapters,client,config,cookies,email,handler,http,linking,machines,node}/**/*.test.ts',
      'test/{oauth,pages,password,providers,qwik,rate-limit,session,testing,token,webauthn}/**/*.test.ts',
      'test/{once,typed-secret}.test.ts',
      'test/faults/account-changes.test.ts',
      'test/races/{one-process,sessions,sign-ins,stamps,turns}.test.ts',
      'test/flows/{scenarios,callback-url}.test.ts',
    ],
    testTimeout: 30_000,
  },
})
