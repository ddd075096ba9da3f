import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findInBundle } from './find-in-bundle.ts'
import { openStage, pin, plain, scripted } from './stage.ts'

const stage = openStage('next')
const cached = openStage('next-cache')
const go = (page: Page, path: string) => page.goto(`${stage.origin()}${path}`)
const heading = (page: Page, text: string) => page.locator('h1', { hasText: text }).waitFor()

async function enter(page: Page, typed: string): Promise<void> {
  await page.getByLabel('Name').fill('Grace')
  await page.getByLabel('PIN').fill(typed)
  await page.getByRole('button', { name: 'Enter' }).click()
}

describe.each([
  ['with JavaScript', scripted],
  ['without JavaScript', plain],
] as const)('server actions %s', (_, mode) => {
  it('EMB-021 EMB-022 sign in with credentials, update the session, and sign out', () =>
    stage.browse(mode, async (page) => {
      await go(page, '/login')
      await enter(page, 'wrong')
      await page.getByText('This name and PIN do not match.').waitFor()
      await enter(page, pin)
      await heading(page, 'Hello Grace')
      expect(page.url()).toBe(`${stage.origin()}/members`)

      await page.getByLabel('New name').fill('Countess')
      await page.getByRole('button', { name: 'Rename' }).click()
      // The page that the action returns already shows the new session.
      await heading(page, 'Hello Countess')
      await page.reload()
      await heading(page, 'Hello Countess')
      const profile = await page.request.get(`${stage.origin()}/api/profile`)
      expect(await profile.json()).toMatchObject({ name: 'Countess' })

      await page.getByRole('button', { name: 'Leave' }).click()
      await page.waitForURL(`${stage.origin()}/`)
      expect(await page.locator('#who').innerText()).toBe('nobody')
      expect((await page.request.get(`${stage.origin()}/api/profile`)).status()).toBe(401)
    }))

  it('EMB-025 sign in with OpenID Connect, and return to the chosen page', () =>
    stage.browse(mode, async (page) => {
      await go(page, '/login')
      await page.getByRole('button', { name: /Demo ID/ }).click()
      await stage.chooseAda(page)
      await page.waitForURL(`${stage.origin()}/members`)
      await heading(page, 'Hello Ada Lovelace')
    }))
})

describe('a Next.js application', () => {
  it('EMB-024 protects a page in a client-side navigation, too', () =>
    stage.browse(scripted, async (page) => {
      await go(page, '/')
      const asked = { maxRedirects: 0, headers: { rsc: '1', accept: '*/*' } }
      const refused = await page.request.get(`${stage.origin()}/members`, asked)
      expect(refused.status()).toBe(401)
      expect(await refused.text()).not.toContain('Hello')
    }))

  it('CLI-005 passes doctor, except for the provider that the guide leaves unconfigured', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['node_modules/authmachine/cli.js', 'doctor', 'auth.ts'],
      {
        cwd: stage.directory,
        env: {
          PATH: process.env.PATH,
          AUTH_SECRET: 'a secret of the tests, long enough',
          AUTH_URL: stage.origin(),
        },
      },
    )
    expect(stdout.match(/^ {2}! .*/gm)).toEqual([
      expect.stringContaining('Provider "demo" has no `clientId`'),
    ])
    expect(stdout).toContain('0 problems, 1 warning.')
  })

  it('EMB-013 has no part of the configuration in the browser build', () => {
    expect(findInBundle(stage.directory, '.next/server', [pin])).not.toEqual([])
    expect(findInBundle(stage.directory, '.next/static', [pin, 'AUTH_DEMO'])).toEqual([])
  })
})

describe('a Next.js application with Cache Components', () => {
  it('EMB-030 signs in, protects a page, updates the session and signs out', () =>
    cached.browse(scripted, async (page) => {
      await page.goto(`${cached.origin()}/`)
      await page.locator('#who', { hasText: 'nobody' }).waitFor()
      await page.getByRole('link', { name: 'Members' }).click()
      await page.waitForURL(`${cached.origin()}/api/auth/signin**`)

      await page.goto(`${cached.origin()}/login`)
      await enter(page, 'wrong')
      await page.getByText('This name and PIN do not match.').waitFor()
      await enter(page, pin)
      await heading(page, 'Hello Grace')
      await page.getByLabel('New name').fill('Countess')
      await page.getByRole('button', { name: 'Rename' }).click()
      await heading(page, 'Hello Countess')
      await page.reload()
      await heading(page, 'Hello Countess')

      await page.goto(`${cached.origin()}/`)
      await page.locator('#who', { hasText: 'Countess' }).waitFor()
      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL(`${cached.origin()}/`)
      await page.locator('#who', { hasText: 'nobody' }).waitFor()
      // Next.js logs each value that it could not read while it prefetched a page.
      expect(cached.errors()).not.toContain('while prerendering')
    }))

  it('EMB-030 prerenders no part of a session', () => {
    const shell = readFileSync(join(cached.directory, '.next/server/app/members.html'), 'utf8')
    expect(shell).toContain('Loading…')
    expect(shell).not.toContain('Hello')
  })
})
