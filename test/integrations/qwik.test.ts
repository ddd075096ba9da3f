import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findInBundle } from './find-in-bundle.ts'
import { openStage, pin } from './stage.ts'

const stage = openStage('qwik')
const modes = [
  ['with JavaScript', { javaScriptEnabled: true }],
  ['without JavaScript', { javaScriptEnabled: false }],
] as const

const go = (page: Page, path: string) => page.goto(`${stage.origin()}${path}`)
const shows = (page: Page, who: string) => page.locator('#who', { hasText: who }).waitFor()

async function enterPin(page: Page, typed: string): Promise<void> {
  await go(page, '/')
  await page.getByLabel('Name').fill('Grace')
  await page.getByLabel('PIN').fill(typed)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

describe.each(modes)('a Qwik City application %s', (_, mode) => {
  it('INT-001 INT-002 INT-005 INT-006 INT-004 signs in by OpenID Connect, and out', () =>
    stage.browse(mode, async (page) => {
      await go(page, '/')
      await shows(page, 'nobody')
      await page.getByRole('button', { name: 'Sign in with Demo ID' }).click()
      await stage.chooseAda(page)
      await page.waitForURL(`${stage.origin()}/members/`)
      expect(await page.locator('h1').innerText()).toContain('Hello Ada')
      await go(page, '/')
      await shows(page, 'Ada')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await shows(page, 'nobody')
    }))

  it('DEC-36a ERR-006 signs in by credentials, and is told what was wrong on the page itself', () =>
    stage.browse(mode, async (page) => {
      await enterPin(page, 'wrong')
      expect(await page.getByRole('alert').innerText()).toBe('That did not work: credentials')
      expect(new URL(page.url()).pathname).toBe('/')
      await shows(page, 'nobody')
      await enterPin(page, pin)
      await shows(page, 'Grace')
    }))

  it('INT-003 INT-010 refuses the page of members to who is not signed in', () =>
    stage.browse(mode, async (page) => {
      const signIn = `${stage.origin()}/auth/signin?callbackUrl=%2Fmembers%2F`
      await go(page, '/members/')
      expect(page.url()).toBe(signIn)
      await go(page, '/')
      await page.getByRole('link', { name: 'Members' }).click()
      await page.waitForURL(signIn)
      await page.getByLabel('Name').fill('Grace')
      await page.getByLabel('PIN').fill(pin)
      await page.getByRole('button', { name: /credentials/i }).click()
      await page.waitForURL(`${stage.origin()}/members/`)
      expect(await page.locator('h1').innerText()).toBe('Hello Grace')
    }))
})

describe('a Qwik City application', () => {
  it('DEC-24a renews a session with the pages that it serves', () =>
    stage.browse({ javaScriptEnabled: false }, async (page) => {
      await enterPin(page, pin)
      await shows(page, 'Grace')
      const answer = await go(page, '/')
      const set = (await answer?.headersArray())?.filter(({ name }) => name.toLowerCase() === 'set-cookie')
      expect(set?.map(({ value }) => value.split('=')[0])).toEqual(['authjs.session-token'])
    }))

  it('INT-009 ERR-015 answers an input of another kind with what is wrong about it', () =>
    stage.browse({ javaScriptEnabled: false }, async (page) => {
      await go(page, '/')
      const action = (await page.locator('form').first().getAttribute('action')) ?? ''
      const answer = await page.request.post(
        `${stage.origin()}/q-data.json${action.slice(action.indexOf('?'))}`,
        {
          data: { providerId: 5 },
          headers: { origin: stage.origin() },
        },
      )
      expect(answer.status()).toBe(400)
      const text = await answer.text()
      for (const part of ['failed', 'fieldErrors', 'providerId', 'Expected a string', 'formErrors'])
        expect(text).toContain(`"${part}"`)
    }))

  it('TX-17 checks the CSRF token on its routes still', () =>
    stage.browse({ javaScriptEnabled: false }, async (page) => {
      const answer = await page.request.post(`${stage.origin()}/auth/callback/credentials`, {
        form: { name: 'Grace', pin },
        maxRedirects: 0,
      })
      expect(answer.headers().location).toContain('error=MissingCSRF')
    }))

  it('EMB-013 keeps its configuration out of what browsers load', () => {
    expect(findInBundle(stage.directory, 'dist', [pin, 'AUTH_SECRET'])).toEqual([])
  })
})
