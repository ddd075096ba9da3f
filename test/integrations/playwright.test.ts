import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findBrowser } from '../support/browser.ts'

/** The statistics in Playwright's report. */
interface Report {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly skipped: number }
}

it('KIT-001 KIT-003 KIT-005 the tests of the guide pass in Playwright', { timeout: 120_000 }, async () => {
  const { executablePath, env } = await findBrowser()
  const child = spawn(process.execPath, ['node_modules/.bin/playwright', 'test', '--reporter=json'], {
    cwd: fileURLToPath(new URL('../../docs/examples/playwright/', import.meta.url)),
    env: { PATH: process.env.PATH, CHROMIUM: executablePath, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = await text(child.stdout)
  const { stats } = JSON.parse(printed) as Report
  expect(stats, printed).toMatchObject({ expected: 4, unexpected: 0, skipped: 0 })
})
