import { expect } from 'vitest'
import { origin, secret, sessionOf, signIn, type App } from '../../support/app.ts'
import type { Agent, Sent } from '../../support/browser-agent.ts'
import { confirmLink, copyCookies } from '../../support/follow-link.ts'
import { askForLink, mailProvider, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import { scenario } from '../scenario.ts'

const cookie = '__Host-authjs.requested-links'
type MailApp = ReturnType<typeof openMailApp>

/** Requests a link to an address from a browser. */
async function request(app: MailApp, agent: Agent, email = 'ada@example.com'): Promise<Mail> {
  await askForLink(agent, email, { callbackUrl: '/home' })
  return app.mails.at(-1) as Mail
}

/** Opens a link, and expects the page that asks to confirm it. */
async function openElsewhere(app: App, agent: Agent, mail: Mail) {
  const page = await agent.send(pathOf(mail))
  expect(page.status).toBe(200)
  expect(app.ended()).toBe('awaitingConfirmation')
  expect(await page.clone().text()).toContain(mail.identifier)
  return () => confirmLink(agent, page)
}

/** Opens a link that signs in at once. */
async function openHere(app: App, agent: Agent, mail: Mail) {
  const response = await agent.send(pathOf(mail))
  expect(response.headers.get('location')).toBe('https://app.test/home')
  expect(app.ended()).toBe('signedIn')
}

/** Mailed links, in the browser that requested them and in others. */
export const openedElsewhereScenarios = [
  scenario(
    'SE-03 DEC-28d DEC-37 a link that an attacker’s page opens signs nobody in, and gives the attacker no identity',
    async ({ open }) => {
      const mails: Mail[] = []
      const idp = {
        id: 'idp',
        name: 'Idp',
        type: 'oidc' as const,
        issuer: 'https://idp.test',
        clientId: 'client',
        clientSecret: 'client-secret',
      }
      const app = { ...open({ strategy: 'database', providers: [mailProvider(mails), idp] }), mails }
      const eve = app.agent()
      const link = await request(app, eve, 'eve@example.com')
      const victim = app.agent()
      await openElsewhere(app, victim, link)
      expect(await sessionOf(victim)).toBeNull()
      await signIn(app, victim)
      expect(await sessionOf(victim)).toMatchObject({ user: { email: 'ada@example.com' } })
      await openHere(app, eve, link)
      expect(await sessionOf(eve)).toMatchObject({ user: { email: 'eve@example.com' } })
      const [account] = app.rows.accounts()
      expect(account?.userId).toBe((await app.store.getUserByEmail('ada@example.com'))?.id)
    },
  ),

  scenario(
    'SU-10 TX-21 DEC-28d a mail scanner, a link preview and a HEAD request do not use up the link',
    async ({ open }) => {
      const app = openMailApp(open)
      const ada = app.agent()
      const mail = await request(app, ada)
      const looks: Sent[] = [
        { headers: { 'user-agent': 'Mail scanner that follows links like a browser' } },
        { headers: { 'user-agent': 'Chat that previews links' } },
        { method: 'HEAD' },
        { headers: { 'sec-purpose': 'prefetch;prerender' } },
      ]
      for (const look of looks) {
        const scanner = app.agent()
        await scanner.send(pathOf(mail), look)
        expect(await sessionOf(scanner)).toBeNull()
      }
      expect(app.rows.users()).toEqual([])
      await openHere(app, ada, mail)
    },
  ),

  scenario(
    'TX-21 DEC-28d a link requested on a computer signs in on a phone once its user confirms the address',
    async ({ open }) => {
      const app = openMailApp(open)
      const computer = app.agent()
      const mail = await request(app, computer)
      const phone = app.agent()
      const press = await openElsewhere(app, phone, mail)
      expect(await sessionOf(phone)).toBeNull()
      expect((await press()).headers.get('location')).toBe('https://app.test/home')
      expect(await sessionOf(phone)).toMatchObject({ user: { email: 'ada@example.com' } })
      expect(await sessionOf(computer)).toBeNull()
    },
  ),

  scenario('DEC-28d with confirm: "never", or false, any browser is signed in at once', async ({ open }) => {
    for (const confirm of ['never', false] as const) {
      const app = openMailApp(open, { mail: { confirm } })
      const mail = await request(app, app.agent())
      await openHere(app, app.agent(), mail)
    }
  }),

  scenario(
    'DEC-28d with confirm: true, the browser that requested the link also has to confirm',
    async ({ open }) => {
      const app = openMailApp(open, { mail: { confirm: true } })
      const ada = app.agent()
      const press = await openElsewhere(app, ada, await request(app, ada))
      await press()
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario(
    'DEC-37 the cookie is sealed, restricted to this host, and lasts as long as its newest link',
    async ({ open }) => {
      const app = openMailApp(open, { mail: { maxAge: 600 } })
      const ada = app.agent()
      const sent = await askForLink(ada, 'ada@example.com')
      const line = sent.headers.getSetCookie().find((each) => each.startsWith(`${cookie}=`)) ?? ''
      const expires = new Date(app.clock.now() + 600_000).toUTCString()
      expect(line.split('; ').slice(1).toSorted()).toEqual(
        [`Expires=${expires}`, 'HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'].toSorted(),
      )
      const [mail] = app.mails as [Mail]
      for (const value of [mail.token, mail.identifier]) expect(decodeURIComponent(line)).not.toContain(value)
      ada.set(`${cookie}=${Buffer.from(JSON.stringify({ links: [] })).toString('base64url')}; Path=/; Secure`)
      await openElsewhere(app, ada, mail)
    },
  ),

  scenario('DEC-37 the cookie is valid for its provider, address and token only', async ({ open }) => {
    const mails: Mail[] = []
    const providers = [mailProvider(mails), mailProvider(mails, { id: 'other' })]
    const app = { ...open({ strategy: 'database', providers }), mails }
    const eve = app.agent()
    const mail = await request(app, eve, 'eve@example.com')
    const other = await request(app, app.agent(), 'bob@example.com')
    await openElsewhere(app, eve, { ...mail, url: mail.url.replace('/callback/mail', '/callback/other') })
    await openElsewhere(app, eve, { ...mail, url: origin + pathOf(mail, { token: other.token }) })
    const url = origin + pathOf(mail, { email: 'bob@example.com' })
    await openElsewhere(app, eve, { ...other, url })
    await openHere(app, eve, mail)
  }),

  scenario('DEC-37 a browser can have five pending links, and follow each of them', async ({ open }) => {
    const app = openMailApp(open)
    const agent = app.agent()
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
      await request(app, agent, `${name}@example.com`)
    const [first, ...others] = app.mails
    await openElsewhere(app, agent, first as Mail)
    for (const mail of others) await openHere(app, agent, mail)
    expect(agent.cookies()).not.toHaveProperty(cookie)
  }),

  scenario('DEC-37 a used or expired link is dropped from the cookie', async ({ open }) => {
    const app = openMailApp(open, { mail: { maxAge: 600 } })
    const agent = app.agent()
    const old = await request(app, agent)
    app.clock.advance(500)
    const later = await request(app, agent)
    const [before, held] = [agent.cookies()[cookie], () => agent.cookies()[cookie]]
    await openHere(app, agent, later)
    expect(held()).not.toBe(before)
    await openElsewhere(app, agent, later)
    app.clock.advance(100)
    const newest = await request(app, agent)
    await openElsewhere(app, agent, old)
    await openHere(app, agent, newest)
    expect(held()).toBeUndefined()
  }),

  scenario(
    'DEC-37 RO-03 DEC-25a the cookie opens under every listed secret, and under no other',
    async ({ open }) => {
      const old = 'the old secret of this application'
      const app = openMailApp(open, { config: { secret: [old] } })
      const agent = app.agent()
      const [kept, dropped] = [await request(app, agent), await request(app, agent, 'bob@example.com')]
      const moved = (secrets: string[]) => {
        const next = openMailApp(open, { config: { secret: secrets }, wrap: () => app.store })
        return { next, browser: copyCookies(agent, next.agent()) }
      }
      const rotated = moved([secret, old])
      await openHere(rotated.next, rotated.browser, kept)
      const removed = moved([secret])
      await openElsewhere(removed.next, removed.browser, dropped)
    },
  ),

  scenario(
    'OPT-011 SU-07 with supersedeLinks, a new link invalidates the older ones of its browser and address',
    async ({ open }) => {
      for (const supersedeLinks of [true, false]) {
        const app = openMailApp(open, { mail: { supersedeLinks } })
        const [ada, other] = [app.agent(), app.agent()]
        const bob = await request(app, ada, 'bob@example.com')
        const elsewhere = await request(app, other)
        const [first, second] = [await request(app, ada), await request(app, ada)]
        await ada.send(pathOf(first))
        expect(app.ended()).toBe(supersedeLinks ? 'invalid' : 'signedIn')
        await openHere(app, ada, second)
        await openHere(app, ada, bob)
        await openHere(app, other, elsewhere)
      }
    },
  ),

  scenario(
    'OPT-011 SU-07 with supersedeLinks, a sign-in invalidates the other links of its browser and address',
    async ({ open }) => {
      for (const supersedeLinks of [true, false]) {
        const app = openMailApp(open)
        const ada = app.agent()
        const [first, second] = [await request(app, ada), await request(app, ada)]
        const providers = [mailProvider([], { supersedeLinks })]
        const next = open({ strategy: 'database', providers, wrap: () => app.store })
        const browser = copyCookies(ada, next.agent())
        await openHere(next, browser, second)
        await browser.send(pathOf(first))
        expect(next.ended()).toBe(supersedeLinks ? 'invalid' : 'signedIn')
      }
    },
  ),

  scenario('SU-11 DEC-37 a message that could not be sent leaves no cookie', async ({ open }) => {
    const sendVerificationRequest = () => Promise.reject(new Error('no server'))
    const app = openMailApp(open, { mail: { sendVerificationRequest } })
    const agent = app.agent()
    await askForLink(agent, 'ada@example.com')
    expect(app.ended()).toBe('failed')
    expect(agent.cookies()).not.toHaveProperty(cookie)
  }),
]
