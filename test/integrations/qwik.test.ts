import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findInBundle } from './find-in-bundle.ts'
import { openStage, pin, plain, scripted } from './stage.ts'

const modes = [
  ['with JavaScript', scripted],
  ['without JavaScript', plain],
] as const

const shows = (page: Page, who: string) => page.locator('#who', { hasText: who }).waitFor()

/** The behaviour that both builds of the example share. */
function openQwik(name: string) {
  const stage = openStage(name)
  const go = (page: Page, path: string) => page.goto(`${stage.origin()}${path}`)
  return {
    stage,
    go,
    async enterPin(page: Page, typed: string): Promise<void> {
      await go(page, '/')
      await page.getByLabel('Name').fill('Grace')
      await page.getByLabel('PIN').fill(typed)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
    async signInAndOut(page: Page): Promise<void> {
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
    },
  }
}

const { stage, go, enterPin, signInAndOut } = openQwik('qwik')

describe.each(modes)('a Qwik City application %s', (_, mode) => {
  it('INT-001 INT-002 INT-005 INT-006 INT-004 signs in and out with OpenID Connect', () =>
    stage.browse(mode, signInAndOut))

  it('INT-009 ERR-015 shows an input error on the page', () =>
    stage.browse(mode, async (page) => {
      await go(page, '/')
      const provider = page.locator('input[name=providerId]').first()
      await provider.evaluate((input: HTMLInputElement) => (input.value = 'nobody'))
      await page.getByRole('button', { name: 'Sign in with Demo ID' }).click()
      expect(await page.getByRole('alert').innerText()).toBe(
        'That did not work: There is no provider with this id',
      )
      expect(new URL(page.url()).pathname).toBe('/')
    }))

  it('DEC-24a renews a session when it serves a page', () =>
    stage.browse(mode, async (page) => {
      await enterPin(page, pin)
      await shows(page, 'Grace')
      const answer = await go(page, '/')
      const set = (await answer?.headersArray())?.filter(
        (header) => header.name.toLowerCase() === 'set-cookie',
      )
      expect(set?.map(({ value }) => value.split('=')[0])).toEqual(['authjs.session-token'])
    }))

  it('DEC-36a ERR-006 signs in with credentials, and shows errors on the page itself', () =>
    stage.browse(mode, async (page) => {
      await enterPin(page, 'wrong')
      expect(await page.getByRole('alert').innerText()).toBe('That did not work: credentials')
      expect(new URL(page.url()).pathname).toBe('/')
      await shows(page, 'nobody')
      await enterPin(page, pin)
      await shows(page, 'Grace')
    }))

  it("INT-003 INT-010 redirects visitors of the members' page who are not signed in", () =>
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
  it('INT-009 ERR-015 reports an input of the wrong type', () =>
    stage.browse(plain, async (page) => {
      await go(page, '/')
      const action = (await page.locator('form').first().getAttribute('action')) ?? ''
      const url = `${stage.origin()}/q-data.json${action.slice(action.indexOf('?'))}`
      const asked = { data: { providerId: 5 }, headers: { origin: stage.origin() } }
      const answer = await page.request.post(url, asked)
      expect(answer.status()).toBe(400)
      const said = readQwikData(await answer.text()) as { action: string; loaders: Record<string, unknown> }
      expect(said.loaders[said.action]).toEqual({
        failed: true,
        fieldErrors: { providerId: ['Expected a string'] },
        formErrors: [],
      })
    }))

  it('TX-17 still checks the CSRF token on its routes', () =>
    stage.browse(plain, async (page) => {
      const answer = await page.request.post(`${stage.origin()}/auth/callback/credentials`, {
        form: { name: 'Grace', pin },
        maxRedirects: 0,
      })
      expect(answer.headers().location).toContain('error=MissingCSRF')
    }))

  it('EMB-013 keeps its configuration out of the browser bundle', () => {
    expect(findInBundle(stage.directory, 'server', [pin])).not.toEqual([])
    expect(findInBundle(stage.directory, 'dist', [pin, 'AUTH_SECRET'])).toEqual([])
  })
})

describe('a Qwik City application with QwikAuth$', () => {
  const alias = openQwik('qwik-alias')

  it.each(modes)('INT-001 INT-002 signs in and out with OpenID Connect, %s', (_, mode) =>
    alias.stage.browse(mode, alias.signInAndOut),
  )

  it.each(modes)('INT-001 INT-002 signs in with credentials %s', (_, mode) =>
    alias.stage.browse(mode, async (page) => {
      await alias.enterPin(page, 'wrong')
      await page.getByRole('alert').waitFor()
      await alias.enterPin(page, pin)
      await shows(page, 'Grace')
    }),
  )

  it('EMB-013 has its configuration in the browser bundle, but no code of the library, as its documentation says', () => {
    expect(findInBundle(alias.stage.directory, 'dist', [pin])).not.toEqual([])
    expect(findInBundle(alias.stage.directory, 'dist', ['AUTH_SECRET'])).toEqual([])
  })
})

/** Parses a `q-data.json`: a list of values that refer to each other by index. */
function readQwikData(text: string): unknown {
  const { _entry: entry, _objs: values } = JSON.parse(text) as { _entry: string; _objs: unknown[] }
  const read = (number: unknown): unknown => {
    const value = values[Number.parseInt(String(number), 36)]
    if (Array.isArray(value)) return value.map(read)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(each)]))
  }
  return read(entry)
}
