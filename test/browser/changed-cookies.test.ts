import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createNodeAuth } from '../../src/node.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { CookieSerializeOptions } from '../../src/types/cookies.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { createLocalProvider, openLocalSites } from '../support/local-sites.ts'

const sites = openLocalSites()
let browser: Browser

/** Opens a site that can be deployed again with other cookies, and a visitor. */
async function openSite(config: Partial<AuthConfig>) {
  const front = await sites.listen((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const code = new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '' })
    response.writeHead(302, { location: `${searchParams.get('redirect_uri') ?? ''}?${code}` }).end()
  })
  const adapter = memoryAdapter()
  const create = (changes: Partial<AuthConfig>) =>
    createNodeAuth(
      createAuth({
        secret: 'a secret of the tests, long enough',
        trustHost: true,
        debug: true,
        logger: recordFlows({ error() {}, warn() {} }),
        accountLinking: 'explicit',
        adapter,
        providers: ['ada', 'bob'].map((id) => createLocalProvider(id, `http://127.0.0.1:${front}/`)),
        ...config,
        ...changes,
      }),
    )
  let node = create({})
  const port = await sites.listen((request, response) => {
    if (request.url?.startsWith('/auth/')) return void node.handler(request, response)
    response.end('page')
  })
  const site = `http://www.app.localhost:${port}`
  const context = await browser.newContext()
  const page = await context.newPage()
  return {
    deploy: (changes: Partial<AuthConfig>) => void (node = create(changes)),
    async signIn(name: string) {
      await page.goto(`${site}/auth/signin?callbackUrl=/target`)
      await page.getByRole('button', { name }).click()
      await page.waitForURL(`${site}/target`)
    },
    async signOut() {
      await page.goto(`${site}/auth/signout?callbackUrl=/left`)
      await page.getByRole('button').first().click()
      await page.waitForURL(`${site}/left`)
    },
    async readUser() {
      await page.goto(`${site}/auth/session`)
      const session = JSON.parse((await page.textContent('body')) ?? '') as { user?: { name: string } } | null
      return session?.user?.name
    },
    async held() {
      const cookies = await context.cookies([site, `${site}/auth/`])
      return cookies.filter(({ name }) => name.includes('session-token'))
    },
  }
}

const withOptions = (options: CookieSerializeOptions) => ({ cookies: { sessionToken: { options } } })
const moves: Readonly<Record<string, readonly Partial<AuthConfig>[]>> = {
  'a parent domain, and back': [{}, withOptions({ domain: 'app.localhost' }), {}],
  'the path of the routes, and back': [{}, withOptions({ path: '/auth' }), {}],
  'another prefix, and back': [{}, { useSecureCookies: true }, {}],
  'a partitioned cookie, and back': [
    { useSecureCookies: true },
    { useSecureCookies: true, ...withOptions({ partitioned: true, sameSite: 'none' }) },
    { useSecureCookies: true },
  ],
}
const applications: Readonly<Record<string, Partial<AuthConfig>>> = {
  jwt: { session: { strategy: 'jwt' } },
  database: { session: { strategy: 'database' } },
  'a split token': {
    session: { strategy: 'jwt' },
    callbacks: { jwt: ({ token }) => ({ ...token, padding: 'x'.repeat(5000) }) },
  },
}

describe('a session cookie whose attributes change', () => {
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    sites.close()
  })

  for (const [strategy, application] of Object.entries(applications))
    for (const [move, configurations] of Object.entries(moves).slice(0, strategy === 'jwt' ? undefined : 1))
      it(`CK-17 ${strategy}: users sign in and out after a change to ${move}`, async () => {
        const site = await openSite(application)
        for (const [index, configuration] of configurations.entries()) {
          site.deploy(configuration)
          if (index > 0) await site.signOut()
          expect(await site.readUser()).toBeUndefined()
          expect(await site.held()).toEqual([])
          await site.signIn('ada')
          expect(await site.readUser()).toBe('ada')
        }
        for (const configuration of configurations) {
          site.deploy(configuration)
          await site.signIn('bob')
          expect([await site.readUser(), await site.readUser()]).toEqual(['bob', 'bob'])
          const places = (await site.held()).map(({ domain, path }) => domain + path)
          expect(new Set(places).size).toBe(1)
          await site.signOut()
          expect(await site.readUser()).toBeUndefined()
          await site.signIn('ada')
        }
      })
})
