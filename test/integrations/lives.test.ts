import { join } from 'node:path'
import { describe, it } from 'vitest'
import { expectItLives } from '../support/expect-it-lives.ts'
import { findApp } from './apps.ts'
import { top } from './run.ts'

/** The quickstarts, in the form that their users deploy. The servers without a framework are in test/guides. */
const quickstarts = [
  { name: 'express', reportsAtStart: true },
  { name: 'fastify', reportsAtStart: true },
  { name: 'hono', reportsAtStart: true },
  { name: 'nuxt', reportsAtStart: true },
  { name: 'react-router', reportsAtStart: true },
  // These load the modules of the site at its first request.
  { name: 'next', reportsAtStart: false },
  { name: 'sveltekit', reportsAtStart: false },
  { name: 'astro', reportsAtStart: false },
  { name: 'solid-start', reportsAtStart: false },
  { name: 'qwik', reportsAtStart: false },
] as const

describe.each(quickstarts)('the quickstart of $name', ({ name, reportsAtStart }) => {
  const { directory, serve = [], basePath = '/auth', proxy } = findApp(name)

  it('EMB-031 OPT-034 survives a missing variable, an untrusted host and a dead store, and says what to do', () =>
    expectItLives({
      directory: join(top, directory),
      args: serve,
      environment: {
        ...proxy?.environment,
        // Next.js sets `NODE_ENV`, and then trusts no host without this.
        AUTH_URL: 'http://localhost:3000',
        AUTH_SECRET: 'a secret of the tests that is long enough',
        AUTH_DEMO_ISSUER: 'https://id.example.com',
        AUTH_DEMO_ID: 'example',
        AUTH_DEMO_SECRET: 'client-secret',
      },
      basePath,
      page: '/members',
      reportsAtStart,
    }))
})
