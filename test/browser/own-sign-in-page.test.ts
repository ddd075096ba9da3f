import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createNodeAuth } from '../../src/node.ts'
import Credentials from '../../src/providers/credentials.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { createLocalProvider, openLocalSites } from '../support/local-sites.ts'
import { mailProvider } from '../support/mail.ts'

const sites = openLocalSites()
let browser: Browser

/** A provider that asks its users whether they want to sign in. */
async function openProvider() {
  const port = await sites.listen((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const lead = (members: Record<string, string>) => {
      const query = new URLSearchParams({ state: searchParams.get('state') ?? '', ...members })
      return `${searchParams.get('redirect_uri') ?? ''}?${query}`
    }
    response.setHeader('content-type', 'text/html')
    response.end(
      `<a href="${lead({ code: 'c' })}">Allow</a> <a href="${lead({ error: 'access_denied' })}">Cancel</a>`,
    )
  })
  return `http://127.0.0.1:${port}/`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A sign-in page of an application, with a form for each way to sign in. */
function writeLogin(query: URLSearchParams, csrfToken: string): string {
  const hidden = `<input type="hidden" name="csrfToken" value="${csrfToken}">
    <input type="hidden" name="callbackUrl" value="${escape(query.get('callbackUrl') ?? '/')}">`
  const form = (action: string, content: string) =>
    `<form method="post" action="/auth/${action}">${hidden}${content}</form>`
  return `<!doctype html><title>Login</title><p>${escape(query.get('error') ?? '')}</p>
    ${form('signin/work', '<button>Work</button>')}
    ${form('callback/credentials', '<input name="pin"><button>Pin</button>')}
    ${form('signin/mail', '<input name="email"><button>Mail</button>')}`
}

async function openSite() {
  const auth = createAuth({
    secret: 'a secret of the tests, long enough',
    trustHost: true,
    debug: true,
    logger: recordFlows({ error() {}, warn() {} }),
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    pages: { signIn: '/login' },
    providers: [
      createLocalProvider('work', await openProvider()),
      Credentials({
        credentials: { pin: {} },
        authorize: ({ pin }) => (pin === '1234' ? { id: 'ada', name: 'Ada' } : null),
      }),
      mailProvider([], {
        sendVerificationRequest() {
          throw new Error('the mail server is down')
        },
      }),
    ],
  })
  const node = createNodeAuth(auth)
  const port = await sites.listen(
    node.listener(async (request, response) => {
      const url = new URL(request.url ?? '', 'http://localhost')
      if (url.pathname.startsWith('/auth/')) return node.handler(request, response)
      if (url.pathname === '/login') {
        const cookie = request.headers.cookie ?? ''
        const given = await fetch(`http://localhost:${port}/auth/csrf`, { headers: { cookie } })
        const { csrfToken } = (await given.json()) as { csrfToken: string }
        for (const each of given.headers.getSetCookie()) response.appendHeader('set-cookie', each)
        response.setHeader('content-type', 'text/html')
        return void response.end(writeLogin(url.searchParams, csrfToken))
      }
      const session = await node.requireSession(request, response)
      if (session) response.end(`page of ${session.user?.name}`)
    }),
  )
  return `http://localhost:${port}`
}

/** Clicks, and returns the error that the sign-in page then shows. */
async function fail(page: Page, button: string): Promise<string | null> {
  await page.getByRole('button', { name: button }).click()
  if (button === 'Work') await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL(/\/login\?.*error=/)
  return page.textContent('p')
}

describe('a sign-in page of the application', () => {
  beforeAll(async () => {
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    sites.close()
  })

  it.each(['Work', 'Pin'])(
    'RD-11 keeps the target through every failure, in a browser, until the sign-in: %s',
    async (way) => {
      const site = await openSite()
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(`${site}/orders/7?tab=2`)
      expect(await fail(page, 'Work')).toBe('OAuthCallbackError')
      expect(await fail(page, 'Pin')).toBe('CredentialsSignin')
      await page.fill('[name=email]', 'ada@example.com')
      expect(await fail(page, 'Mail')).toBe('EmailSignInError')
      await context.clearCookies()
      expect(await fail(page, 'Pin')).toBe('MissingCSRF')
      if (way === 'Pin') await page.fill('[name=pin]', '1234')
      await page.getByRole('button', { name: way }).click()
      if (way === 'Work') await page.getByRole('link', { name: 'Allow' }).click()
      await page.waitForURL(`${site}/orders/7?tab=2`)
      expect(await page.textContent('body')).toMatch(/^page of (?:Ada|work)$/)
      await context.close()
    },
  )
})
