import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openStage, pin, plain, scripted } from './stage.ts'

/** The pages that send the cookies of an extended session, and the response to a script without a session. */
const servers = [
  { name: 'hono', mode: plain, renews: ['/', '/members'], refusal: 401 },
  { name: 'express', mode: plain, renews: ['/', '/members'], refusal: 401 },
  { name: 'fastify', mode: plain, renews: ['/', '/members'], refusal: 401 },
  // Server components cannot set cookies. The proxy or middleware in front of them can.
  { name: 'next', mode: scripted, renews: ['/members'], refusal: 401 },
  // Load functions redirect.
  { name: 'sveltekit', mode: scripted, renews: ['/', '/members'], refusal: 303 },
  { name: 'astro', mode: plain, renews: ['/', '/members'], refusal: 401 },
  // Loaders of React Router and route middleware of Nuxt also redirect.
  { name: 'react-router', mode: plain, renews: ['/', '/members'], refusal: 302 },
  { name: 'nuxt', mode: plain, renews: ['/', '/members'], refusal: 302 },
] as const

describe.each(servers)('an application on $name', ({ name, mode, renews, refusal }) => {
  const stage = openStage(name)
  const auth = (path: string) => `${stage.origin()}${stage.basePath}${path}`
  const go = (page: Page, path: string) => page.goto(`${stage.origin()}${path}`)
  const who = (page: Page) => page.locator('#who').innerText()

  async function enterPin(page: Page, typed: string): Promise<void> {
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('PIN').fill(typed)
    await page.getByRole('button', { name: /credentials/i }).click()
  }

  /** Signs out on the home page, and comes back to it. */
  async function signOut(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /sign out/i }).click()
    await page.waitForURL(`${stage.origin()}/`)
    expect(await who(page)).toBe('nobody')
  }

  it('EMB-010 EMB-011 signs in and out with OpenID Connect', () =>
    stage.browse(mode, async (page) => {
      await go(page, '/')
      expect(await who(page)).toBe('nobody')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: /Demo ID/ }).click()
      await stage.chooseAda(page)
      await page.waitForURL(`${stage.origin()}/`)
      expect(await who(page)).toContain('Ada')
      await signOut(page)
    }))

  it('EMB-006 EMB-009 EMB-012 redirects to sign in and back to the page, extends the session, and signs out to the home page', () =>
    stage.browse(mode, async (page) => {
      await go(page, '/members?page=2')
      expect(new URL(page.url()).pathname).toBe(`${stage.basePath}/signin`)
      await enterPin(page, 'wrong')
      await page.waitForURL((url) => url.searchParams.get('code') === 'credentials')
      await enterPin(page, pin)
      await page.waitForURL(`${stage.origin()}/members?page=2`)
      expect(await page.locator('h1').innerText()).toBe('Hello Grace')
      for (const path of renews) {
        const headers = (await (await go(page, path))?.headersArray()) ?? []
        const set = headers.filter((header) => header.name.toLowerCase() === 'set-cookie')
        expect(set.map(({ value }) => value.split('=')[0])).toEqual(['authjs.session-token'])
      }
      await go(page, '/')
      await signOut(page)
    }))

  it(`EMB-006 responds with ${refusal} to a script without a session`, () =>
    stage.browse(plain, async (page) => {
      const asked = { maxRedirects: 0, headers: { accept: '*/*' } }
      const answer = await page.request.get(`${stage.origin()}/members`, asked)
      expect(answer.status()).toBe(refusal)
      if (refusal === 401) expect(await answer.json()).toEqual({ error: 'SessionRequired' })
      else expect(answer.headers().location).toContain('/auth/signin?callbackUrl=%2Fmembers')
    }))

  it('EMB-009 accepts JSON, and rejects a form without the CSRF token', () =>
    stage.browse(plain, async (page) => {
      const { request } = page
      const { csrfToken } = (await (await request.get(auth('/csrf'))).json()) as { csrfToken: string }
      const asked = { maxRedirects: 0, headers: { origin: stage.origin() } }
      const url = auth('/callback/credentials')
      const refused = await request.post(url, { ...asked, form: { name: 'Grace', pin } })
      expect(refused.headers().location).toContain('error=MissingCSRF')
      const answer = await request.post(url, { ...asked, data: { csrfToken, name: 'Grace', pin } })
      expect(answer.status()).toBe(302)
      expect(await (await request.get(auth('/session'))).json()).toMatchObject({ user: { name: 'Grace' } })
    }))
})
