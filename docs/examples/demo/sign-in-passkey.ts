import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { assert } from './assert.ts'
import type { Chapter } from './sign-in-methods.ts'
import { type Guest, inventAddress } from './stage.ts'

/** Milliseconds to wait for a step in the browser. */
const patience = 15_000

/** Creates, uses and names a passkey in headless Chromium, with a virtual authenticator. */
export const byPasskey: Chapter = {
  title: 'Sign-in with a passkey',
  flows: ['webauthn-options', 'webauthn', 'account'],
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
  const email = inventAddress()
  const signInPage = `${origin}/auth/signin?${new URLSearchParams({ callbackUrl: '/profile' })}`
  const readSession = async () => (await page.request.get(`${origin}/auth/session`)).json() as unknown

  // A sign-in page offers the passkey without a click, so do not confirm it after a sign-out.
  const device = await addAuthenticator(page)

  const signOut = async () => {
    await device.touch(false)
    await page.goto(`${origin}/auth/signout`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((url) => url.pathname !== '/auth/signout')
  }

  const createPasskey = async () => {
    await page.goto(signInPage)
    await page.locator('#passkey-form').getByLabel('Email').fill(email)
    await device.touch(true)
    await page.getByRole('button', { name: 'Register with a passkey' }).click()
    await arriveAt(page, `${origin}/profile`, 'Creating a passkey')
  }

  const usePasskey = async () => {
    await page.goto('about:blank')
    await device.touch(true)
    // The sign-in may complete before the page has loaded.
    await page.goto(signInPage, { waitUntil: 'commit' })
    await arriveAt(page, `${origin}/profile`, 'Using the passkey')
  }

  const namePasskey = async () => {
    await page.goto(`${origin}/auth/account`)
    await page.getByRole('textbox', { name: 'Name of Passkey 1' }).fill('This laptop')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('button', { name: 'Remove This laptop' }).waitFor()
  }

  return {
    email,
    async signIn() {
      await createPasskey()
      await signOut()
      assert((await readSession()) === null, 'The first session still exists after its sign-out')
      await usePasskey()
      await namePasskey()
    },
    signOut,
    readSession,
    leave,
  }
}

/** Adds a virtual authenticator, which confirms requests while `touch` is enabled. */
async function addAuthenticator(page: Page) {
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
  await page.waitForURL(url).catch(() => assert(false, `${doing} ended at ${page.url()}, not at the profile`))
}
