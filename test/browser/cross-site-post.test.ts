import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createNodeAuth } from '../../src/node.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { createLocalProvider, openLocalSites } from '../support/local-sites.ts'

const sites = openLocalSites()
let browser: Browser

/** A provider whose page is on another site, and posts or redirects. */
async function openProvider() {
  const port = await sites.listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const target = searchParams.get('redirect_uri') ?? ''
    const state = searchParams.get('state') ?? ''
    if (pathname === '/query')
      return void response
        .writeHead(302, { location: `${target}?${new URLSearchParams({ code: 'c', state })}` })
        .end()
    response.setHeader('content-type', 'text/html')
    response.end(
      `<form method=post action="${target}"><input name=code value=c><input name=state value="${state}"></form>
       <script>document.forms[0].submit()</script>`,
    )
  })
  return `http://127.0.0.1:${port}`
}

async function openSite() {
  const front = await openProvider()
  const answerBy = (mode: 'query' | 'form_post') => ({
    url: `${front}/${mode}`,
    params: { response_mode: mode },
  })
  const adapter = memoryAdapter()
  const auth = createAuth({
    secret: 'a secret of the tests, long enough',
    trustHost: true,
    debug: true,
    logger: recordFlows({ error() {}, warn() {} }),
    accountLinking: 'explicit',
    adapter,
    providers: [
      createLocalProvider('work', answerBy('query')),
      createLocalProvider('posting', answerBy('form_post')),
    ],
  })
  const node = createNodeAuth(auth)
  const port = await sites.listen((request, response) => {
    if (request.url?.startsWith('/auth/')) return void node.handler(request, response)
    response.end('page')
  })
  return { adapter, site: `http://localhost:${port}` }
}

describe('a provider that posts its response from another site', () => {
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    sites.close()
  })

  it('WIR-023 AL-14 keeps the target of the built-in page, and links to the signed-in user', async () => {
    const { adapter, site } = await openSite()
    const page = await (await browser.newContext()).newPage()
    const signInWith = async (name: string) => {
      await page.goto(`${site}/auth/signin?callbackUrl=/target`)
      await page.getByRole('button', { name }).click()
      await page.waitForURL(`${site}/target`)
    }
    await signInWith('work')
    const ada = await adapter.getUserByAccount?.({ provider: 'work', providerAccountId: 'work' })
    const link = () =>
      page.evaluate(async () => {
        const { csrfToken } = (await (await fetch('/auth/csrf')).json()) as { csrfToken: string }
        const body = new URLSearchParams({ csrfToken, link: 'true', callbackUrl: '/account' })
        const headers = { 'X-Auth-Return-Redirect': '1' }
        const started = await fetch('/auth/signin/posting', { method: 'POST', headers, body })
        return ((await started.json()) as { url: string }).url
      })
    await page.goto(await link())
    await page.waitForURL(`${site}/account`)
    const owner = await adapter.getUserByAccount?.({ provider: 'posting', providerAccountId: 'posting' })
    expect(owner?.id).toBe(ada?.id)
    expect(owner?.email).toBe('work@example.com')
    await page.context().clearCookies()
    await signInWith('posting')
  })
})
