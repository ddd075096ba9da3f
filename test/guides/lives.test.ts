import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { expectItLives } from '../support/expect-it-lives.ts'

/** The servers of the guides that need no framework. For the others, see test/integrations/lives.test.ts. */
const servers = [
  { guide: 'README.md', program: 'readme/server.mjs' },
  { guide: 'embed.md', program: 'embed/server.js' },
]

describe.each(servers)('the server of $guide', ({ program }) => {
  it('EMB-031 OPT-034 survives a missing variable, an untrusted host and a dead store, and says what to do', () =>
    expectItLives({
      directory: fileURLToPath(new URL('../../docs/examples/', import.meta.url)),
      args: [program],
      environment: {
        AUTH_SECRET: 'a secret of the tests that is long enough',
        AUTH_GITHUB_ID: 'client',
        AUTH_GITHUB_SECRET: 'client-secret',
      },
      basePath: '/auth',
      page: '/',
      reportsAtStart: true,
    }))
})
