import { expect, test as base } from '@playwright/test'
import { memoryAdapter } from 'authmachine/adapters/memory'
import { mailbox, serveIdentityProvider, sessionCookie } from 'authmachine-conformance/testing'
import { startSite } from './site.ts'

const secret = 'only for tests, and long enough for one'
const users = [{ sub: '1', name: 'Ada' }]

type Provider = Awaited<ReturnType<typeof serveIdentityProvider>>
interface Site {
  readonly url: string
  readonly mails: ReturnType<typeof mailbox>
}

/** Each worker starts its own provider and its own site, on their own ports. */
const test = base.extend<object, { provider: Provider; site: Site }>({
  provider: [
    async ({}, use) => {
      const provider = await serveIdentityProvider({ users })
      await use(provider)
      await provider.close()
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ provider: { issuer } }, use) => {
      const mails = mailbox()
      const { sendVerificationRequest } = mails
      const site = await startSite({
        secret,
        adapter: memoryAdapter(),
        session: { strategy: 'jwt' },
        providers: [
          { id: 'company', name: 'Company', type: 'oidc', issuer, clientId: 'site', clientSecret: 'any' },
          { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest },
        ],
      })
      await use({ url: site.url, mails })
      site.close()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ site }, use) => use(site.url),
})

test.afterEach(({ provider }) => provider.misbehave())

test('begins signed in', async ({ page, context, baseURL }) => {
  const cookie = await sessionCookie({ user: { id: '2', name: 'Grace' }, secret })
  await context.addCookies([{ ...cookie, url: baseURL }])
  await page.goto('/')
  await expect(page.getByText('Hello Grace')).toBeVisible()
})

test('signs in at the provider', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Company' }).click()
  await expect(page.getByText('Hello Ada')).toBeVisible()
})

test('says so when the provider fails', async ({ page, provider }) => {
  provider.misbehave('token:500')
  await page.goto('/auth/signin')
  await page.getByRole('button', { name: 'Company' }).click()
  await expect(page).toHaveURL(/error=/)
})

test('signs in by a mailed link', async ({ page, site }) => {
  await page.goto('/auth/signin')
  await page.getByLabel('Email').fill('bob@example.com')
  await page.getByRole('button', { name: 'Mail' }).click()
  await page.waitForURL('**/auth/verify-request**')
  await page.goto(site.mails.linkTo('bob@example.com'))
  await page.goto('/auth/session')
  await expect(page.getByText('bob@example.com')).toBeVisible()
})
