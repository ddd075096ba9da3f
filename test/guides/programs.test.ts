import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import sessionsEnd from '../../docs/examples/oracle/property.ts'
import { openBrowser, startSignIn } from '../../docs/examples/testing/browser.ts'
import { createAuth } from '../../src/index.ts'

const examples = new URL('../../docs/examples/', import.meta.url)

describe('the guides’ programs', { timeout: 120_000 }, () => {
  it.each([
    ['oracle/conformance.test.js', 1],
    ['oracle/capabilities.test.js', 1],
  ])('%s passes', (path, tests) => {
    const program = fileURLToPath(new URL(`../../docs/examples/${path}`, import.meta.url))
    // Vitest's workers do not run under node:test. If one did, the child process would report to it instead.
    const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=tap', program], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })
    expect(stdout).toContain(`# pass ${tests}`)
    expect(status).toBe(0)
  })

  it('testing/idp.mjs serves a provider for the variables in the guide', async () => {
    const program = await readFile(new URL('testing/idp.mjs', examples), 'utf8')
    // Another test run on this computer may use the port of the guide.
    const served = await serveProgram(program.replace('port: 4100', 'port: 0'))
    try {
      const visit = openBrowser(openSite(served.issuer))
      const authorization = await startSignIn(visit, 'demo')
      const consent = await fetch(authorization, { redirect: 'manual' })
      await visit(consent.headers.get('location') ?? '')
      expect(await (await visit('/auth/session')).json()).toMatchObject({ user: { name: 'Ada' } })
    } finally {
      served.stop()
    }
  })

  it('the property in the conformance guide is valid', () => {
    expect(sessionsEnd).toMatchObject({ proves: ['SE-10'], runs: 50 })
  })
})

/** Runs a program that prints the issuer of the provider that it serves. */
async function serveProgram(program: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(examples),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { issuer: line.toString().trim(), stop: () => child.kill() }
}

/** A site with the provider of the quickstarts. */
function openSite(issuer: string) {
  return createAuth({
    providers: [{ id: 'demo', name: 'Demo ID', type: 'oidc', issuer, clientId: 'any', clientSecret: 'any' }],
    secret: 'only for tests, and long enough for one',
    trustHost: true,
  }).handler
}
