import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemo, type Demo } from '../../docs/examples/demo/demo.ts'
import { launchBrowser } from '../support/browser.ts'
import { recordFlows } from '../support/journeys/browsers.ts'
import { watch } from '../support/demo/watch-page.ts'
import { openSmtp, type SmtpSink } from '../support/smtp.ts'

const [mary, jules] = ['the modern prometheus', 'twenty thousand leagues']
const logger = recordFlows({ error() {}, warn() {} })

describe("the demo's ways to sign in, in a browser", () => {
  let demo: Demo
  let browser: Browser

  beforeAll(async () => {
    demo = await startDemo({ port: 0, store: { kind: 'sqlite' }, logger })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })

  /** Opens a new user agent. The test fails on a request to another machine and on any console error. */
  const browse = async (visit: (page: Page) => Promise<void>, javaScriptEnabled = true) => {
    const context = await browser.newContext({ javaScriptEnabled })
    const seen = watch(context)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await visit(page)
    await context.close()
    expect(seen.strangers()).toEqual([])
    expect(seen.complaints()).toEqual([])
  }

  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()
  const readUser = async (page: Page, origin = demo.origin) => {
    const session = (await (await page.request.get(`${origin}/auth/session`)).json()) as {
      user: object
    } | null
    return session?.user ?? null
  }

  const askForLink = async (page: Page, email: string, origin = demo.origin) => {
    await page.goto(`${origin}/protected`)
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Sign in with a mail link' }) })
    await form.getByLabel('Email').fill(email)
    await form.getByRole('button', { name: 'Sign in with a mail link' }).click()
  }

  const signOut = async (page: Page, origin = demo.origin) => {
    await page.goto(`${origin}/auth/signout`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((url) => url.pathname !== '/auth/signout')
    expect(await readUser(page, origin)).toBeNull()
  }

  const fillIn = async (page: Page, email: string, password: string) => {
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Sign in with a password' }) })
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Password').fill(password)
    await form.getByRole('button').click()
  }

  it('ATN-001 shows all ways to sign in, and the passwords to try', () =>
    browse(async (page) => {
      await page.goto(`${demo.origin}/auth/signin`)
      for (const way of ['Demo ID', 'a mail link', 'a mail code', 'a password', 'a passkey'])
        expect(await page.getByRole('button', { name: `Sign in with ${way}`, exact: true }).isVisible()).toBe(
          true,
        )
      await page.goto(demo.origin)
      for (const text of ['mary@example.com', mary, 'jules@example.com', jules])
        expect(await page.getByText(text).isVisible()).toBe(true)
    }))

  it('SU-01 ATN-009 EM-05 signs in once with a link from the inbox, and returns to the page where the sign-in started', () =>
    browse(async (page) => {
      await askForLink(page, 'Katherine@Example.com')
      await page.waitForURL(`${demo.origin}/inbox*`)
      const mail = page.locator('article').first()
      expect(await mail.innerText()).toContain('To katherine@example.com')
      const link = await mail.getByRole('link').getAttribute('href')
      await mail.getByRole('link').click()
      await page.waitForURL(`${demo.origin}/protected`)
      expect(await heading(page)).toBe('For signed-in users only')
      expect(await readUser(page)).toMatchObject({ email: 'katherine@example.com' })
      await signOut(page)
      await page.goto(link ?? '')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL((url) => url.searchParams.get('error') === 'Verification')
      expect(await readUser(page)).toBeNull()
    }))

  it('CD-01 CD-09 signs in with a code from the inbox, after a wrong one', () =>
    browse(async (page) => {
      await page.goto(`${demo.origin}/protected`)
      const form = page.locator('form', {
        has: page.getByRole('button', { name: 'Sign in with a mail code' }),
      })
      await form.getByLabel('Email').fill('dorothy@example.com')
      await form.getByRole('button', { name: 'Sign in with a mail code' }).click()
      await page.waitForURL(`${demo.origin}/inbox*`)
      const mail = await page.locator('article').first().innerText()
      const code = /^\d{6}$/m.exec(mail)?.[0] ?? ''
      const enter = async (typed: string) => {
        await page.getByLabel('Code').fill(typed)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      }
      await enter(code === '000000' ? '000001' : '000000')
      await page.waitForURL((url) => url.searchParams.get('attempts') === '4')
      expect(await page.getByRole('alert').innerText()).toContain('Attempts left: 4')
      await enter(`${code.slice(0, 3)} ${code.slice(3)}`)
      await page.waitForURL(`${demo.origin}/protected`)
      expect(await readUser(page)).toMatchObject({ email: 'dorothy@example.com' })
      await signOut(page)
    }))

  it('shows the inbox only under the host name that the site was started with', async () => {
    const inbox = `${demo.origin}/inbox`
    const hosts = [new URL(demo.origin).host, 'rebound.example']
    expect(await Promise.all(hosts.map((host) => statusOf(inbox, host)))).toEqual([200, 404])
  })

  it('ATN-007 ATN-009 signs in with a link sent by SMTP, and then shows no inbox', async () => {
    const smtp = await openSmtp()
    const mailing = await startDemo({ port: 0, smtp: smtp.url, logger })
    try {
      await browse(async (page) => {
        await askForLink(page, 'grace@example.com', mailing.origin)
        await page.waitForURL(`${mailing.origin}/auth/verify-request*`)
        expect(smtp.mails.map(({ to }) => to)).toEqual([['grace@example.com']])
        expect((await page.request.get(`${mailing.origin}/inbox`)).status()).toBe(404)
        await page.goto(linkIn(smtp))
        await page.waitForURL(`${mailing.origin}/protected`)
        expect(await readUser(page, mailing.origin)).toMatchObject({ email: 'grace@example.com' })
        await signOut(page, mailing.origin)
      })
    } finally {
      await mailing.close()
      await smtp.close()
    }
  })

  for (const scripts of [true, false])
    it(`CB-06 DEC-18a accepts a correct password and rejects a wrong one ${scripts ? 'with' : 'without'} JavaScript`, () =>
      browse(async (page) => {
        const refused = `${demo.origin}/auth/signin?error=CredentialsSignin&code=credentials`
        await page.goto(`${demo.origin}/protected`)
        for (const [login, password] of [
          ['mary@example.com', jules],
          ['nobody@example.com', mary],
        ] as const) {
          await fillIn(page, login, password)
          await page.waitForURL(refused)
          expect(await page.getByRole('alert').innerText()).toMatch(/do not match/)
          expect(await readUser(page)).toBeNull()
        }
        await page.goto(`${demo.origin}/protected`)
        await fillIn(page, 'mary@example.com', mary)
        await page.waitForURL(`${demo.origin}/protected`)
        expect(await readUser(page)).toMatchObject({ name: 'Mary Shelley', email: 'mary@example.com' })
        await signOut(page)
      }, scripts))

  it('PW-07 PW-08 registers a user who chooses a password with a link from the inbox', () =>
    browse(async (page) => {
      const [email, password] = ['hedy@example.com', 'frequencies that hop']
      await page.goto(`${demo.origin}/protected`)
      await page.getByRole('link', { name: 'Set or reset your password' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.waitForURL(`${demo.origin}/inbox*`)
      await page.getByRole('link', { name: 'Open the link' }).first().click()
      await page.getByLabel(/^New password/).fill(password)
      await page.getByRole('button', { name: 'Set the password' }).click()
      await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
      await signOut(page)
      await page.goto(`${demo.origin}/protected`)
      await fillIn(page, email, password)
      await page.waitForURL(`${demo.origin}/protected`)
      expect(await readUser(page)).toMatchObject({ email })
    }))

  it('SF-01 SF-04 turns the second factor on with the authenticator of the demo, which then shows the codes', () =>
    browse(async (page) => {
      await page.goto(`${demo.origin}/protected`)
      await fillIn(page, 'jules@example.com', jules)
      await page.goto(`${demo.origin}/auth/factor-enrolment`)
      const other = await page.context().newPage()
      await other.goto(`${demo.origin}/authenticator`)
      expect(await other.locator('article').innerText()).toContain('jules@example.com')
      await page.getByLabel('Code').fill(await other.locator('.code').innerText())
      await page.getByRole('button', { name: 'Turn on' }).click()
      const codes = await page.getByRole('listitem').allInnerTexts()
      await signOut(page)
      await page.goto(`${demo.origin}/protected`)
      await fillIn(page, 'jules@example.com', jules)
      await page.waitForURL(`${demo.origin}/auth/factor*`)
      expect(await readUser(page)).toBeNull()
      await page.getByLabel('Code').fill(codes[0] ?? '')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL(`${demo.origin}/protected`)
      expect(await readUser(page)).toMatchObject({ email: 'jules@example.com' })
    }))
})

function linkIn({ mails }: SmtpSink): string {
  return /https?:\/\/\S+/.exec(mails[0]?.mail.text ?? '')?.[0] ?? ''
}

/** The status of a page, requested under a host name that the browser resolves to this machine. */
async function statusOf(url: string, host: string): Promise<number | undefined> {
  const [answer] = (await once(get(url, { headers: { host } }), 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}
