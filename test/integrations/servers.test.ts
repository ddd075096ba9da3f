import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openStage, pin } from './stage.ts'

const plain = { javaScriptEnabled: false }

describe.each(['hono', 'express', 'fastify'])('an application on %s', (name) => {
  const stage = openStage(name)
  const go = (page: Page, path: string) => page.goto(`${stage.origin()}${path}`)
  const who = (page: Page) => page.locator('#who').innerText()

  async function enterPin(page: Page, typed: string): Promise<void> {
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('PIN').fill(typed)
    await page.getByRole('button', { name: /credentials/i }).click()
  }

  it('EMB-010 EMB-011 signs in by OpenID Connect, and out', () =>
    stage.browse(plain, async (page) => {
      await go(page, '/')
      expect(await who(page)).toBe('nobody')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: /Demo ID/ }).click()
      await stage.chooseAda(page)
      await page.waitForURL(`${stage.origin()}/`)
      expect(await who(page)).toContain('Ada')
      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: /sign out/i }).click()
      await page.waitForURL(`${stage.origin()}/`)
      expect(await who(page)).toBe('nobody')
    }))

  it('EMB-006 EMB-009 EMB-012 leads to sign in, back to the page, and keeps the session alive', () =>
    stage.browse(plain, async (page) => {
      await go(page, '/members?page=2')
      expect(new URL(page.url()).pathname).toBe('/auth/signin')
      await enterPin(page, 'wrong')
      expect(new URL(page.url()).searchParams.get('code')).toBe('credentials')
      await enterPin(page, pin)
      await page.waitForURL(`${stage.origin()}/members?page=2`)
      expect(await page.locator('h1').innerText()).toBe('Hello Grace')
      for (const path of ['/', '/members']) {
        const headers = (await (await go(page, path))?.headersArray()) ?? []
        const set = headers.filter((header) => header.name.toLowerCase() === 'set-cookie')
        expect(set.map(({ value }) => value.split('=')[0])).toEqual(['authjs.session-token'])
      }
    }))

  it('EMB-006 is 401 for a script that is not signed in', () =>
    stage.browse(plain, async (page) => {
      const answer = await page.request.get(`${stage.origin()}/members`, { headers: { accept: '*/*' } })
      expect(answer.status()).toBe(401)
      expect(await answer.json()).toEqual({ error: 'SessionRequired' })
    }))

  it('EMB-009 takes JSON, and refuses a form without the CSRF token', () =>
    stage.browse(plain, async (page) => {
      const { request } = page
      const { csrfToken } = (await (await request.get(`${stage.origin()}/auth/csrf`)).json()) as {
        csrfToken: string
      }
      const sign = { maxRedirects: 0, data: { csrfToken, name: 'Grace', pin } }
      const url = `${stage.origin()}/auth/callback/credentials`
      const refused = await request.post(url, { maxRedirects: 0, form: { name: 'Grace', pin } })
      expect(refused.headers().location).toContain('error=MissingCSRF')
      const answer = await request.post(url, sign)
      expect(answer.status()).toBe(302)
      expect(await (await request.get(`${stage.origin()}/auth/session`)).json()).toMatchObject({
        user: { name: 'Grace' },
      })
    }))
})
