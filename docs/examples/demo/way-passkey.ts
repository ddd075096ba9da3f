import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { demand } from './demand.ts'
import type { Way } from './ways.ts'

/** Milliseconds that one thing in the browser may take. */
const patience = 15_000

/** In headless Chromium, with an authenticator in software whose user is always there: makes a passkey, and uses it. */
export const byPasskey: Way = {
  name: 'passkey',
  flows: ['webauthn-options', 'webauthn'],
  async arrive({ origin }) {
    const browser = await launchBrowser()
    const page = await browser.newPage()
    page.setDefaultTimeout(patience)
    // Somebody new: the authenticator knows nobody, but the store may.
    const email = `visitor-${randomUUID()}@example.com`
    const signInPage = `${origin}/auth/signin?${new URLSearchParams({ callbackUrl: '/profile' })}`
    const readSession = async () => (await page.request.get(`${origin}/auth/session`)).json() as unknown

    const signOut = async () => {
      await page.goto(`${origin}/auth/signout`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL((url) => url.pathname !== '/auth/signout')
    }

    return {
      email,
      async signIn() {
        await plugIn(page)
        await page.goto(signInPage)
        await page.locator('#passkey-form').getByLabel('Email').fill(email)
        await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
        await arriveAt(page, `${origin}/profile`, 'Making a passkey')
        await signOut()
        demand((await readSession()) === null, 'The first session outlived its sign-out')
        // The page offers the passkey by itself, and the authenticator takes it.
        await page.goto(signInPage)
        await arriveAt(page, `${origin}/profile`, 'Using the passkey')
      },
      signOut,
      readSession,
      leave: () => browser.close(),
    }
  },
}

async function plugIn(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function arriveAt(page: Page, url: string, doing: string): Promise<void> {
  await page.waitForURL(url).catch(() => demand(false, `${doing} led to ${page.url()}, not to the profile`))
}
