import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import sessionsEnd from '../../docs/examples/oracle/property.ts'

describe('the guides’ programs for node:test', { timeout: 120_000 }, () => {
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

  it('the property in the conformance guide is valid', () => {
    expect(sessionsEnd).toMatchObject({ proves: ['SE-10'], runs: 50 })
  })
})
