import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findInBundle } from './find-in-bundle.ts'
import { openStage, pin, plain, scripted } from './stage.ts'

const stage = openStage('solid-start')

const go = (page: Page, path: string) => page.goto(`${stage.origin()}${path}`)
const shows = (page: Page, who: string) => page.locator('#who', { hasText: who }).waitFor()

/**
 * Opens the first page and repeats an action until it has an effect. Before the page's script has run, the action has
 * no effect, and the browser does not show when the script has run. Each attempt waits longer than the one before.
 */
async function atHome(
  page: Page,
  act: (turn: { readonly timeout: number }) => Promise<unknown>,
  effect: (turn: { readonly timeout: number }) => Promise<unknown>,
): Promise<void> {
  for (let timeout = 2000; ; timeout *= 2) {
    await go(page, '/')
    await act({ timeout })
    const hadEffect = await effect({ timeout }).then(
      () => true,
      () => false,
    )
    if (hadEffect) return
  }
}

async function enterPin(page: Page, typed: string): Promise<void> {
  await page.getByLabel('Name').fill('Grace')
  await page.getByLabel('PIN').fill(typed)
}

async function signInPlainly(page: Page, target = '/'): Promise<void> {
  await go(page, `/api/auth/signin?${new URLSearchParams({ callbackUrl: target })}`)
  await enterPin(page, pin)
  await page.getByRole('button', { name: /credentials/i }).click()
  await page.waitForURL(`${stage.origin()}${target}`)
}

describe('a SolidStart application', () => {
  it('RTE-002 INT-014 INT-017 signs in and out with OpenID Connect', () =>
    stage.browse(scripted, async (page) => {
      await go(page, '/')
      await shows(page, 'nobody')
      await atHome(
        page,
        () => page.getByRole('button', { name: 'Sign in with Demo ID' }).click(),
        (turn) => page.waitForURL(/127\.0\.0\.1/, turn),
      )
      await stage.chooseAda(page)
      await page.waitForURL(`${stage.origin()}/members`)
      expect(await page.locator('h1').innerText()).toContain('Hello Ada')
      await go(page, '/')
      await shows(page, 'Ada')
      await atHome(
        page,
        () => page.getByRole('button', { name: 'Sign out' }).click(),
        (turn) => page.locator('#who', { hasText: 'nobody' }).waitFor(turn),
      )
    }))

  it('RTE-002 INT-014 signs in and out with OpenID Connect without JavaScript', () =>
    stage.browse(plain, async (page) => {
      await go(page, '/')
      await page.getByRole('link', { name: 'Sign in elsewhere' }).click()
      await page.getByRole('button', { name: /Demo ID/ }).click()
      await stage.chooseAda(page)
      await page.waitForURL(`${stage.origin()}/`)
      await shows(page, 'Ada')
      await page.getByRole('link', { name: 'Sign out elsewhere' }).click()
      await page.getByRole('button', { name: /sign out/i }).click()
      await page.waitForURL(`${stage.origin()}/`)
      await shows(page, 'nobody')
    }))

  it('RTE-002 ERR-006 signs in with credentials without JavaScript, and shows an error for wrong ones', () =>
    stage.browse(plain, async (page) => {
      await go(page, '/api/auth/signin?callbackUrl=/members')
      await enterPin(page, 'wrong')
      await page.getByRole('button', { name: /credentials/i }).click()
      await page.waitForURL((url) => url.searchParams.get('code') === 'credentials')
      expect(await page.getByRole('alert').innerText()).not.toBe('')
      await signInPlainly(page, '/members')
      expect(await page.locator('h1').innerText()).toBe('Hello Grace')
    }))

  it('EMB-001 signs in with credentials on its own page, and shows an error for wrong ones', () =>
    stage.browse(scripted, async (page) => {
      const button = page.getByRole('button', { name: 'Sign in', exact: true })
      await atHome(
        page,
        async () => {
          await enterPin(page, 'wrong')
          await button.click()
        },
        (turn) => page.getByRole('alert').waitFor(turn),
      )
      expect(await page.getByRole('alert').innerText()).toBe('That did not work: credentials')
      await enterPin(page, pin)
      await button.click()
      await shows(page, 'Grace')
    }))

  it('INT-018 INT-019 protects the server data of a page requested as a document', () =>
    stage.browse(plain, async (page) => {
      await go(page, '/members')
      expect(page.url()).toBe(`${stage.origin()}/`)
      await signInPlainly(page, '/members')
      expect(await page.locator('h1').innerText()).toBe('Hello Grace')
    }))

  it('INT-018 INT-019 protects the server data of a page on client-side navigation', () =>
    stage.browse(scripted, async (page) => {
      let answer: Promise<unknown> = Promise.resolve()
      const click = async (turn: { readonly timeout: number }) => {
        answer = page.waitForResponse((response) => new URL(response.url()).pathname === '/_server', turn)
        answer.catch(() => undefined)
        await page.getByRole('link', { name: 'Members' }).click()
      }
      await atHome(page, click, () => answer)
      await page.waitForURL(`${stage.origin()}/`)
      await shows(page, 'nobody')
      await signInPlainly(page)
      await atHome(page, click, () => answer)
      await page.getByText('Hello Grace').waitFor()
    }))

  it('INT-020 INT-021 INT-022 protects documents by middleware, and passes other requests on', () =>
    stage.browse(plain, async (page) => {
      await go(page, '/guarded')
      expect(page.url()).toBe(`${stage.origin()}/`)
      expect((await page.request.get(`${stage.origin()}/api/auth/session`)).status()).toBe(200)
      await signInPlainly(page)
      expect((await go(page, '/guarded'))?.url()).toBe(`${stage.origin()}/guarded`)
      expect(await page.locator('h1').innerText()).toBe('Only the way here is guarded')
    }))

  it('INT-020 does not run the middleware on client-side navigation, as its documentation says', () =>
    stage.browse(scripted, async (page) => {
      await atHome(
        page,
        () => page.getByRole('link', { name: 'Guarded' }).click(),
        (turn) => page.getByText('Only the way here is guarded').waitFor(turn),
      )
      expect(await page.evaluate(() => fetch('/guarded').then(({ url }) => url))).toBe(`${stage.origin()}/`)
    }))

  it('DEC-31f responds with 404 to a POST that no route handles', () =>
    stage.browse(plain, async ({ request }) => {
      const answer = await request.post(`${stage.origin()}/api/auth/nowhere`, { form: { a: '1' } })
      expect(answer.status()).toBe(404)
    }))

  it('DEC-24a renews a session when it serves a page', () =>
    stage.browse(plain, async (page) => {
      await signInPlainly(page)
      for (const path of ['/members', '/guarded']) {
        const headers = (await (await go(page, path))?.headersArray()) ?? []
        const set = headers.filter(({ name }) => name.toLowerCase() === 'set-cookie')
        expect(set.map(({ value }) => value.split('=')[0])).toContain('authjs.session-token')
      }
    }))

  it('EMB-013 keeps its configuration out of the browser bundle', () => {
    expect(findInBundle(stage.directory, 'dist/server', [pin])).not.toEqual([])
    expect(findInBundle(stage.directory, 'dist/client', [pin, 'AUTH_DEMO'])).toEqual([])
  })
})
