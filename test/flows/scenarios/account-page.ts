import { expect } from 'vitest'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { type Form, readForms } from '../../../fuzz/world/forms.ts'
import { type App, type AppOptions, issuer, origin, sessionOf, signIn } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { mailProvider } from '../../support/mail.ts'
import { openPasswordApp, signIn as signInByPassword } from '../../support/passwords.ts'
import { heldSession, plant, sentCookie, sessionCookie } from '../../support/session-cookie.ts'
import { unreachable, watching } from '../../support/watch-store.ts'
import { perform, register, withPasskeys } from '../../support/webauthn/app.ts'
import { scenario, type Stage } from '../scenario.ts'

const page = `${origin}/auth/account`
const client = { type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' } as const
const providers = [
  { id: 'idp', name: 'Idp', ...client },
  { id: 'second', name: 'Second', ...client },
]
const month = 30 * 86_400_000

function openWithPage(open: Stage['open'], { config, ...options }: AppOptions = {}): App {
  return open({ strategy: 'database', providers, ...options, config: { accountPage: true, ...config } })
}

/** Ada is signed in on two devices, and has linked both providers. */
async function openLinked(open: Stage['open'], options: AppOptions = {}) {
  const app = openWithPage(open, options)
  const [phone, laptop] = [app.agent(), app.agent()]
  await signIn(app, phone)
  await signIn(app, phone, 'second', { link: 'true' })
  await signIn(app, laptop)
  app.events.length = 0
  return { app, phone, laptop }
}

async function readPage(agent: Agent) {
  const response = await agent.send('/auth/account')
  const html = await response.text()
  return { response, html, forms: readForms(html) }
}

/** The forms that request a change. */
function formsOf(forms: readonly Form[], change: string): readonly Form[] {
  return forms.filter(({ fields }) => fields.change === change)
}

/** Sends a form of the page. @returns the response */
async function change(
  agent: Agent,
  name: string,
  { at = 0, ...more }: { at?: number; [field: string]: unknown } = {},
) {
  const form = formsOf((await readPage(agent)).forms, name)[at]
  expect(form, name).toBeDefined()
  return agent.send('/auth/account', { form: { ...form?.fields, ...(more as Record<string, string>) } })
}

/** Sends a change that the page does not offer. */
async function force(agent: Agent, fields: Record<string, string>) {
  const { forms } = await readPage(agent)
  const csrfToken = forms[0]?.fields.csrfToken ?? ''
  return agent.send('/auth/account', { form: { csrfToken, ...fields } })
}

function expectChanged(response: Response) {
  expect([response.status, response.headers.get('location')]).toEqual([302, page])
}

async function expectRefused(response: Response, text: string) {
  expect(response.status).toBe(422)
  expect(await response.text()).toContain(text)
}

/** The events of changes. */
const eventsOf = ({ events }: App) => events.map(({ event }) => event).filter((event) => event !== 'session')
const unavailable = 'This site cannot end these sessions.'
const lastWay = 'This is your last way to sign in.'

async function isLive(agent: Agent): Promise<boolean> {
  return (await sessionOf(agent)) !== null
}

/** The account page. */
export const accountPageScenarios = [
  scenario('ACP-05 an invalid cookie, and the session of a deleted user, show no page', async ({ open }) => {
    for (const strategy of ['database', 'jwt-stored'] as const) {
      const app = openWithPage(open, { strategy })
      const [agent, stranger] = [app.agent(), app.agent()]
      await signIn(app, agent)
      await app.store.deleteUser(app.rows.users()[0]?.id ?? '')
      plant(stranger, 'unknown')
      for (const each of [agent, stranger]) {
        expect((await readPage(each)).html).not.toContain('Your account')
        expect(app.ended()).toBe('anonymous')
      }
    }
  }),

  scenario('ACP-05 without accountPage, the path is not found', async ({ open }) => {
    for (const accountPage of [undefined, false]) {
      const app = openWithPage(open, { config: { accountPage } })
      const agent = app.agent()
      await signIn(app, agent)
      for (const form of [undefined, { change: 'delete-user' }]) {
        const response = await agent.send('/auth/account', { form })
        expect(response.status).toBe(404)
        expect(app.errors.at(-1)).toMatchObject({ type: 'UnknownAction' })
        expect(app.errors.at(-1)?.message).toContain('The option `accountPage` turns this route on')
      }
    }
  }),

  scenario(
    'ACP-05 nobody sees the page without a session, and signs in to return to it',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const app = openWithPage(open, { strategy })
        const agent = app.agent()
        const query = new URLSearchParams({ error: 'SessionRequired', callbackUrl: page })
        const { response } = await readPage(agent)
        expect(response.headers.get('location')).toBe(`${origin}/auth/signin?${query}`)
        await signIn(app, agent)
        expect((await readPage(agent)).response.status).toBe(200)
        app.clock.advance(month / 1000 + 1)
        expect((await readPage(agent)).response.headers.get('location')).toBe(
          `${origin}/auth/signin?${query}`,
        )
        expect(app.ended()).toBe('anonymous')
      }
    },
  ),

  scenario(
    'ACP-06 the page needs no script, is not cached, and contains no id but hashes',
    async ({ open }) => {
      const { app, phone, laptop } = await openLinked(open)
      const { response, html } = await readPage(phone)
      expect(html).not.toContain('<script')
      expect(response.headers.get('cache-control')).toContain('no-store')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(html).not.toContain(heldSession(phone))
      expect(html).not.toContain(heldSession(laptop))
      for (const { providerAccountId } of app.rows.accounts())
        expect(html).not.toContain(`"${providerAccountId}"`)
      expect(html).toContain('Signed in as <strong dir="auto">Ada</strong>')
    },
  ),

  scenario('ACP-06 ACP-01 the page escapes what a site keeps about a session', async ({ open }) => {
    const describe = () => ({ device: '<img src=x onerror=alert(1)>', address: '"&\'' })
    const app = openWithPage(open, { config: { session: { describe } } })
    const agent = app.agent()
    await signIn(app, agent)
    await signIn(app, app.agent())
    const { html } = await readPage(agent)
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=alert(1)>, this device, &quot;&amp;')
    expect(html).toContain('Signed in on <time datetime="2030-01-01T00:00:00.000Z">1 January 2030')
  }),

  scenario('ACP-07 a form without the CSRF token of the browser changes nothing', async ({ open }) => {
    const { app, phone, laptop } = await openLinked(open)
    const forms = (await readPage(phone)).forms.filter(({ action }) => action === page)
    expect(forms.map(({ fields }) => fields.change)).toEqual([
      'end-session',
      'end-other-sessions',
      'unlink',
      'unlink',
      'delete-user',
    ])
    for (const { fields } of forms)
      for (const csrfToken of ['', 'f'.repeat(64)]) {
        const confirmation = 'ada@example.com'
        await phone.send('/auth/account', { form: { ...fields, confirmation, csrfToken } })
        expect(app.ended()).toBe('refused')
      }
    expect([app.rows.accounts().length, await isLive(laptop), eventsOf(app)]).toEqual([2, true, []])
  }),

  scenario('ACP-07 ids of another user change nothing', async ({ open }) => {
    const { app, phone, laptop } = await openLinked(open, withPasskeys({ providers: providers.slice(1) }))
    const { agent: bob } = await register(app, 'bob@example.com')
    const { forms } = await readPage(phone)
    const ids = forms.map(({ fields }) => fields.id).filter((id) => id !== undefined)
    expect(ids.length).toBeGreaterThan(2)
    const { id = '' } = formsOf((await readPage(bob)).forms, 'name-passkey')[0]?.fields ?? {}
    app.events.length = 0
    for (const change of ['end-session', 'unlink', 'name-passkey']) {
      for (const each of [...ids, '', 'unknown']) {
        expectChanged(await force(bob, { change, id: each, name: 'Stolen' }))
      }
      if (change !== 'end-session') expectChanged(await force(phone, { change, id, name: 'Stolen' }))
    }
    expect(app.rows.accounts()).toHaveLength(3)
    expect([await isLive(phone), await isLive(laptop), eventsOf(app)]).toEqual([true, true, []])
    expect((await readPage(bob)).html).not.toContain('Stolen')
  }),

  scenario('ACP-07 a form that asks for no known change shows the page', async ({ open }) => {
    const { phone } = await openLinked(open)
    for (const change of ['toString', 'sell', '']) expect((await force(phone, { change })).status).toBe(200)
  }),

  scenario('ACP-08 ACP-12 a user ends one session, and it is signed out', async ({ open }) => {
    const { app, phone, laptop } = await openLinked(open)
    const token = heldSession(laptop)
    expectChanged(await change(phone, 'end-session'))
    expect([await isLive(phone), await isLive(laptop)]).toEqual([true, false])
    expect(app.events.filter(({ event }) => event !== 'session')).toMatchObject([
      { event: 'signOut', message: { session: { sessionToken: token } } },
    ])
    expect(app.rows.sessions()).toHaveLength(1)
  }),

  scenario('ACP-08 ACP-12 the end of an expired session calls no event', async ({ open }) => {
    const { app, phone } = await openLinked(open)
    const { forms } = await readPage(phone)
    const [form] = formsOf(forms, 'end-session')
    const row = app.rows.sessions().find(({ sessionToken }) => sessionToken !== heldSession(phone))
    await app.store.updateSession({
      sessionToken: row?.sessionToken ?? '',
      expires: new Date(app.clock.now() - 60_000),
    })
    expectChanged(await phone.send('/auth/account', { form: form?.fields ?? {} }))
    expect([app.rows.sessions().length, eventsOf(app)]).toEqual([1, []])
  }),

  scenario('ACP-08 a user ends all other sessions', async ({ open }) => {
    const { app, phone, laptop } = await openLinked(open)
    const bob = app.agent()
    app.idp.choose('bob')
    await signIn(app, bob)
    app.events.length = 0
    expectChanged(await change(phone, 'end-other-sessions'))
    expect(eventsOf(app)).toEqual(['signOut'])
    expect(await Promise.all([phone, laptop, bob].map(isLive))).toEqual([true, false, true])
    expect(formsOf((await readPage(phone)).forms, 'end-other-sessions')).toEqual([])
  }),

  scenario('ACP-08 with JWT sessions, the page ends all others if there is a list', async ({ open }) => {
    const listed = await openLinked(open, {
      strategy: 'jwt-stored',
      config: { jwt: { revocations: memoryRevocations() } },
    })
    listed.app.clock.advance(2)
    const { forms } = await readPage(listed.phone)
    expect(formsOf(forms, 'end-session')).toEqual([])
    await expectRefused(await force(listed.phone, { change: 'end-session', id: 'any' }), unavailable)
    expectChanged(await change(listed.phone, 'end-other-sessions'))
    expect(await Promise.all([listed.phone, listed.laptop].map(isLive))).toEqual([true, false])
    const unlisted = await openLinked(open, { strategy: 'jwt-stored' })
    expect((await readPage(unlisted.phone)).html).not.toContain('Sessions')
    await expectRefused(await force(unlisted.phone, { change: 'end-other-sessions' }), unavailable)
    expect(await isLive(unlisted.laptop)).toBe(true)
  }),

  scenario('ACP-09 ACP-12 a user unlinks an account, but not the last one', async ({ open }) => {
    const { app, phone } = await openLinked(open)
    const { html } = await readPage(phone)
    expect(html).not.toContain('Link Idp')
    expectChanged(await change(phone, 'unlink'))
    expect(app.rows.accounts()).toMatchObject([{ provider: 'second' }])
    expect(app.events).toMatchObject([
      { event: 'signOut' },
      { event: 'unlinkAccount', message: { user: { name: 'Ada' }, account: { provider: 'idp' } } },
    ])
    expect((await readPage(phone)).html).toContain('Link Idp')
    await expectRefused(await change(phone, 'unlink'), lastWay)
    expect([app.ended(), app.rows.accounts().length]).toEqual(['shown', 1])
    app.idp.choose('ada')
    await signIn(app, phone, 'idp', { link: 'true' })
    expectChanged(await change(phone, 'unlink'))
    expect(app.rows.accounts()).toHaveLength(1)
  }),

  scenario('ACP-09 a user links another account, and returns to the page', async ({ open }) => {
    const app = openWithPage(open, { config: { accountLinking: 'explicit' } })
    const agent = app.agent()
    await signIn(app, agent)
    const link = (await readPage(agent)).forms.find(({ action }) => action === `${origin}/auth/signin/second`)
    const started = await agent.send('/auth/signin/second', { form: link?.fields ?? {} })
    const { parameters } = await app.idp.authorize(started.headers.get('location') ?? '')
    const response = await agent.send(`/auth/callback/second?${parameters}`)
    expect(response.headers.get('location')).toBe(page)
    expect([app.rows.users().length, app.rows.accounts().length]).toEqual([1, 2])
  }),

  scenario('ACP-09 a verified address is a way in only if links or passwords use it', async ({ open }) => {
    const ways = [
      { emailVerified: new Date(Date.UTC(2029, 0)), more: [mailProvider([])], removable: true },
      { emailVerified: null, more: [mailProvider([])], removable: false },
      { emailVerified: new Date(Date.UTC(2029, 0)), more: [], removable: false },
    ]
    for (const { emailVerified, more, removable } of ways) {
      const app = openWithPage(open, { providers: [...providers, ...more] })
      const agent = app.agent()
      await signIn(app, agent)
      await app.store.updateUser({ id: app.rows.users()[0]?.id ?? '', emailVerified })
      const response = await change(agent, 'unlink')
      if (removable) expectChanged(response)
      else await expectRefused(response, lastWay)
      expect(app.rows.accounts()).toHaveLength(removable ? 0 : 1)
    }
  }),

  scenario('ACP-09 an account of a removed provider does not count as a way to sign in', async ({ open }) => {
    const app = openWithPage(open, { providers: providers.slice(0, 1) })
    const phone = app.agent()
    await signIn(app, phone)
    const { id = '' } = app.rows.users()[0] ?? {}
    await app.store.linkAccount({ userId: id, type: 'oidc', provider: 'former', providerAccountId: 'ada' })
    await expectRefused(await change(phone, 'unlink'), lastWay)
    expectChanged(await change(phone, 'unlink', { at: 1 }))
    expect(app.rows.accounts()).toMatchObject([{ provider: 'idp' }])
  }),

  scenario('ACP-09 of two concurrent requests, one leaves the last way in', async ({ open }) => {
    const { app, phone } = await openLinked(open, {
      wrap: (store) => ({
        ...store,
        async unlinkAccount(account) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          return store.unlinkAccount?.(account)
        },
      }),
    })
    const forms = formsOf((await readPage(phone)).forms, 'unlink')
    const responses = await Promise.all(
      forms.map(({ fields }) => phone.send('/auth/account', { form: { ...fields } })),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([302, 422])
    expect(app.rows.accounts()).toHaveLength(1)
  }),

  scenario('ACP-09 ACP-10 a user names and removes passkeys, but not the last way in', async ({ open }) => {
    const app = openWithPage(open, withPasskeys({ providers: providers.slice(1) }))
    const person = await register(app)
    await expectRefused(await change(person.agent, 'unlink'), lastWay)
    await signIn(app, person.agent, 'second', { link: 'true' })
    const named = await change(person.agent, 'name-passkey', { name: ` <b>Phöne\u0000${'x'.repeat(200)}` })
    expectChanged(named)
    const { html } = await readPage(person.agent)
    expect(html).toContain(`&lt;b>Phöne ${'x'.repeat(91)}<`)
    const before = app.rows.accounts().length
    app.events.length = 0
    const passkey = (await readPage(person.agent)).forms.findLast(({ fields }) => fields.change === 'unlink')
    expectChanged(await person.agent.send('/auth/account', { form: { ...passkey?.fields } }))
    expect(app.rows.accounts()).toHaveLength(before - 1)
    const [ada] = app.rows.users()
    expect(await app.store.listAuthenticatorsByUserId(ada?.id ?? '')).toEqual([])
    expect(app.events).toMatchObject([{ event: 'unlinkAccount', message: { account: { type: 'webauthn' } } }])
    await perform({ agent: app.agent(), device: person.device }, { fields: { action: 'authenticate' } })
    expect(app.ended()).not.toBe('signedIn')
  }),

  scenario(
    'ACP-06 ACP-15 a section that the adapter does not support is absent, and its forms are refused',
    async ({ open }) => {
      const without = (names: readonly string[]) =>
        watching([], () => Object.fromEntries(names.map((name) => [name, undefined])))
      const { phone } = await openLinked(open, {
        wrap: without(['listSessionsByUserId', 'unlinkAccount', 'deleteUser', 'nameAuthenticator']),
      })
      const { html, forms } = await readPage(phone)
      expect(forms.map(({ action }) => action)).toEqual([`${origin}/auth/signout`])
      expect(html).not.toMatch(/Sessions|Linked accounts|Delete/)
      expectChanged(await force(phone, { change: 'unlink', id: 'any' }))
      expectChanged(await force(phone, { change: 'name-passkey', id: 'any' }))
      for (const change of ['end-session', 'end-other-sessions'])
        await expectRefused(await force(phone, { change, id: 'any' }), unavailable)
      await expectRefused(
        await force(phone, { change: 'delete-user', confirmation: 'ada@example.com' }),
        'not deleted',
      )
    },
  ),

  scenario('ACP-11 ACP-12 a user types the address to delete the account', async ({ open }) => {
    const { app, phone, laptop } = await openLinked(open)
    for (const confirmation of ['', 'delete', 'bob@example.com'])
      await expectRefused(
        await change(phone, 'delete-user', { confirmation }),
        'Your account was not deleted',
      )
    const { id: userId } = app.rows.users()[0] ?? {}
    app.events.length = 0
    const response = await change(phone, 'delete-user', { confirmation: ' Ada@Example.com ' })
    expect([response.status, response.headers.get('location')]).toEqual([302, origin])
    expect(sentCookie(response)).toMatchObject({ key: sessionCookie, value: '' })
    expect([app.rows.users(), app.rows.accounts(), app.rows.sessions()]).toEqual([[], [], []])
    expect(eventsOf(app)).toEqual(['signOut', 'signOut', 'deleteUser'])
    expect(app.events.at(-1)?.message).toEqual({ userId })
    expect(await isLive(laptop)).toBe(false)
  }),

  scenario('ACP-11 a user without an address types a word, and JWT sessions end', async ({ open }) => {
    const { app, phone, laptop } = await openLinked(open, {
      strategy: 'jwt-stored',
      config: { jwt: { revocations: memoryRevocations() } },
    })
    await app.store.updateUser({ id: app.rows.users()[0]?.id ?? '', email: '' })
    app.clock.advance(2)
    await change(phone, 'delete-user', { confirmation: 'delete' })
    expect([app.ended(), app.rows.users()]).toEqual(['deleted', []])
    expect([await isLive(phone), await isLive(laptop)]).toEqual([false, false])
  }),

  scenario('ACP-15 buttons and fields of a list have different names', async ({ open }) => {
    const { app, phone } = await openLinked(open, withPasskeys({ providers: providers.slice(1) }))
    await signIn(app, app.agent(), 'second')
    const person = await register(app, 'bob@example.com')
    for (const agent of [phone, person.agent]) {
      const { html } = await readPage(agent)
      const names = [...html.matchAll(/<(?:button|input)(?! type="hidden")([^>]*)>([^<]*)/g)].map(
        ([, attributes = '', text = '']) => /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? text,
      )
      expect(names.length).toBeGreaterThan(3)
      expect(new Set(names).size, names.join()).toBe(names.length)
    }
    expect((await readPage(phone)).html).toContain('aria-label="Sign out session 2: Another device"')
  }),

  scenario('ACP-16 a user with a password finds the form that changes it', async ({ open }) => {
    const app = openPasswordApp(open, { config: { accountPage: true } })
    await app.addUser()
    const agent = app.agent()
    await signInByPassword(agent)
    expect((await readPage(agent)).html).toContain(`href="${origin}/auth/password-change/password"`)
  }),

  scenario(
    'ACP-16 a user without a password finds the form that mails a link to set one',
    async ({ open }) => {
      const app = openPasswordApp(open, { config: { accountPage: true } })
      await app.addUser()
      const agent = app.agent()
      await signInByPassword(agent)
      await app.store.deletePassword('ada')
      const { html } = await readPage(agent)
      expect(html).toContain(`href="${origin}">Back to`)
      expect(html).toContain(`href="${origin}/auth/password/password">Set or reset your password`)
      expect(html).not.toContain('password-change')
      await app.store.updateUser({ id: 'ada', email: '' })
      expect((await readPage(agent)).html).not.toContain('/auth/password')
    },
  ),

  scenario('FI-01 the page reports a store that fails', async ({ open }) => {
    const app = openWithPage(open, {
      wrap: watching([], () => ({ listAccountsByUserId: () => unreachable() })),
    })
    const agent = app.agent()
    await signIn(app, agent)
    const { response } = await readPage(agent)
    expect([app.ended(), response.headers.get('location')]).toEqual([
      'faulted',
      `${origin}/auth/error?error=Configuration`,
    ])
  }),
]
