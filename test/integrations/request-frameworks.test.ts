import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findInBundle } from './find-in-bundle.ts'
import { openStage, pin, plain, scripted, type Stage } from './stage.ts'

const go = (stage: Stage, page: Page, path: string) => page.goto(`${stage.origin()}${path}`)

/**
 * Opens the home page and clicks a link until the browser navigates without loading the page as a document. Before the
 * page's script has run, the link loads a document.
 */
async function clickMembers(stage: Stage, page: Page, wait: () => Promise<unknown>): Promise<void> {
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
  })
  do {
    documents.length = 0
    await go(stage, page, '/')
    await page.getByRole('link', { name: 'Members' }).click()
    await wait()
  } while (documents.includes('/members'))
}

describe.each([
  { name: 'nuxt', server: '.output/server', client: '.output/public' },
  { name: 'react-router', server: 'build/server', client: 'build/client' },
])('an application on $name, with JavaScript', ({ name, server, client }) => {
  const stage = openStage(name)

  it('EMB-006 protects a page on client-side navigation', () =>
    stage.browse(scripted, async (page) => {
      await clickMembers(stage, page, () => page.waitForURL(/\/auth\/signin/))
      await page.getByLabel('Name').fill('Grace')
      await page.getByLabel('PIN').fill(pin)
      await page.getByRole('button', { name: /credentials/i }).click()
      await page.waitForURL(`${stage.origin()}/members`)
      expect(await page.locator('h1').innerText()).toBe('Hello Grace')
      await clickMembers(stage, page, () => page.getByText('Hello Grace').waitFor())
    }))

  it('EMB-013 keeps its configuration out of the browser bundle', () => {
    expect(findInBundle(stage.directory, server, [pin])).not.toEqual([])
    expect(findInBundle(stage.directory, client, [pin, 'AUTH_DEMO'])).toEqual([])
  })
})

/** Whether a form from another site, or from no page at all, reaches the library. */
describe.each([
  { name: 'nuxt', status: 302 },
  { name: 'react-router', status: 302 },
  { name: 'astro', status: 403 },
])('an application on $name', ({ name, status }) => {
  const stage = openStage(name)

  it.each<Record<string, string>>([{ origin: 'https://elsewhere.test' }, {}])(
    `EMB-009 responds with ${status} to a form sent with %j`,
    (headers) =>
      stage.browse(plain, async ({ request }) => {
        const answer = await request.post(`${stage.origin()}/auth/callback/credentials`, {
          maxRedirects: 0,
          headers,
          form: { name: 'Grace', pin },
        })
        expect(answer.status()).toBe(status)
        if (status === 302) expect(answer.headers().location).toContain('error=MissingCSRF')
      }),
  )
})

describe('an application on astro', () => {
  const stage = openStage('astro')

  it('EMB-009 accepts its own forms behind a proxy that terminates TLS', () =>
    stage.browse(plain, async ({ request }) => {
      const answer = await request.post(`${stage.origin()}/auth/callback/credentials`, {
        maxRedirects: 0,
        headers: { 'x-forwarded-proto': 'https', origin: stage.origin().replace('http:', 'https:') },
        form: { name: 'Grace', pin },
      })
      expect(answer.status()).toBe(302)
      expect(answer.headers().location).toContain('error=MissingCSRF')
    }))
})
