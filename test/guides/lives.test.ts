import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { expectItLives } from '../support/expect-it-lives.ts'

/** The servers of the guides that need no framework. For the others, see test/integrations/lives.test.ts. */
const servers = [
  { guide: 'README.md', args: ['readme/server.mjs'], page: '/' },
  { guide: 'embed.md', args: ['embed/server.js'], page: '/' },
  {
    guide: 'proxies.md',
    // The program leaves it to the application to listen.
    args: ['--eval', "import { server } from './proxies/server.ts'; server.listen(process.env.PORT)"],
    page: '/auth/session',
  },
]

describe.each(servers)('the server of $guide', ({ args, page }) => {
  it('EMB-031 OPT-034 survives a missing variable, an untrusted host and a dead store, and says what to do', () =>
    expectItLives({
      directory: fileURLToPath(new URL('../../docs/examples/', import.meta.url)),
      args,
      environment: {
        AUTH_SECRET: 'a secret of the tests that is long enough',
        AUTH_GITHUB_ID: 'client',
        AUTH_GITHUB_SECRET: 'client-secret',
      },
      basePath: '/auth',
      page,
      reportsAtStart: true,
    }))
})
