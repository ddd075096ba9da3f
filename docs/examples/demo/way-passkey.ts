import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { demand } from './demand.ts'
import type { Guest, Way } from './ways.ts'

/** Milliseconds that one thing in the browser may take. */
const patience = 15_000

/** In headless Chromium, with an authenticator in software: makes a passkey, and uses it. */
export const byPasskey: Way = {
  name: 'passkey',
  flows: ['webauthn-options', 'webauthn'],
  async arrive({ origin }) {
    const browser = await launchBrowser()
    try {
      return await enter(await browser.newPage(), origin, () => browser.close())
    } catch (error) {
      await browser.close()
      throw error
    }
  },
}

async function enter(page: Page, origin: string, leave: Guest['leave']): Promise<Guest> {
  page.setDefaultTimeout(patience)
  // Somebody new: the authenticator knows nobody, but the store may.
  const email = `visitor-${randomUUID()}@example.com`
  const signInPage = `${origin}/auth/signin?${new URLSearchParams({ callbackUrl: '/profile' })}`
  const readSession = async () => (await page.request.get(`${origin}/auth/session`)).json() as unknown

  // A sign-in page offers a passkey by itself, also where a sign-out leads to one: nobody touches the device then.
  const device = await plugIn(page)

  const signOut = async () => {
    await device.touch(false)
    await page.goto(`${origin}/auth/signout`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((url) => url.pathname !== '/auth/signout')
  }

  const makePasskey = async () => {
    await page.goto(signInPage)
    await page.locator('#passkey-form').getByLabel('Email').fill(email)
    await device.touch(true)
    await page.getByRole('button', { name: 'Register with a passkey' }).click()
    await arriveAt(page, `${origin}/profile`, 'Making a passkey')
  }

  const usePasskey = async () => {
    await page.goto('about:blank')
    await device.touch(true)
    // The passkey may be taken, and the page left, before it has loaded.
    await page.goto(signInPage, { waitUntil: 'commit' })
    await arriveAt(page, `${origin}/profile`, 'Using the passkey')
  }

  return {
    email,
    async signIn() {
      await makePasskey()
      await signOut()
      demand((await readSession()) === null, 'The first session outlived its sign-out')
      await usePasskey()
    },
    signOut,
    readSession,
    leave,
  }
}

/** An authenticator of the page's, whose user touches it while told to. */
async function plugIn(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  return {
    touch: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

async function arriveAt(page: Page, url: string, doing: string): Promise<void> {
  await page.waitForURL(url).catch(() => demand(false, `${doing} led to ${page.url()}, not to the profile`))
}
