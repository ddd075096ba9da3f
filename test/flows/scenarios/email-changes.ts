import { expect } from 'vitest'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { readForms } from '../../../fuzz/world/forms.ts'
import { csrfOf, origin, sessionOf, signIn } from '../../support/app.ts'
import {
  addressOf,
  changeAddress,
  confirmChange,
  newAddress,
  oldAddress,
  openAda,
  pathOf,
  requestChange,
  tokenOf,
} from '../../support/email-change.ts'
import { claimsOf, heldSession } from '../../support/session-cookie.ts'
import { failing, unreachable } from '../../support/watch-store.ts'
import { register, withPasskeys } from '../../support/webauthn/app.ts'
import { scenario } from '../scenario.ts'

const strategies = ['database', 'jwt-stored'] as const
const lost = 'This link has expired, was already used, or belongs to another account.'
const taken = 'Another account has this email address.'

const locationOf = (response: Response) => response.headers.get('location')
const seen = async (response: Response) => [response.status, await response.text()] as const

/** Changes of the e-mail address: the use of a link. */
export const emailChangeScenarios = [
  scenario('EC-05 FI-01 a link still works after a store failure before it was used', async ({ open }) => {
    const failures = { left: 0 }
    const { app, agent } = await openAda(open, { wrap: failing('useVerificationToken', failures) })
    await requestChange(agent)
    failures.left = 1
    await confirmChange(agent, tokenOf(app))
    expect([app.ended(), await addressOf(agent)]).toEqual(['faulted', oldAddress])
    await confirmChange(agent, tokenOf(app))
    expect([app.ended(), await addressOf(agent)]).toEqual(['changed', newAddress])
  }),

  scenario('EC-05 SU-10 opening a link changes nothing', async ({ open }) => {
    const { app, agent } = await openAda(open)
    await requestChange(agent)
    const before = app.rows.tokens()
    const [status, html] = await seen(await agent.send(pathOf(app)))
    expect([status, app.ended(), app.rows.tokens()]).toEqual([200, 'awaitingConfirmation', before])
    expect(app.rows.users()[0]?.email).toBe(oldAddress)
    expect(html).toContain(`<strong dir="ltr">${newAddress}</strong>`)
    expect(html).toContain(`<strong dir="ltr">${oldAddress}</strong>`)
    const [sent] = readForms(html)
    expect(sent).toMatchObject({ action: `${origin}/auth/email-change-confirm` })
    await agent.send('/auth/email-change-confirm', { form: sent?.fields ?? {} })
    expect([app.ended(), await addressOf(agent)]).toEqual(['changed', newAddress])
  }),

  scenario('EC-05 a link works once, and not after a newer one or a change', async ({ open }) => {
    const { app, agent } = await openAda(open)
    await requestChange(agent, 'first@new.example')
    await requestChange(agent, 'second@new.example')
    const [first, second] = [tokenOf(app, 0), tokenOf(app, 1)]
    const expectLost = async (token: string) => {
      const [status, html] = await seen(await confirmChange(agent, token))
      expect([status, html.includes(lost), app.ended()]).toEqual([403, true, 'invalid'])
      expect(app.errors.at(-1)).toMatchObject({ type: 'Verification' })
      const [again, page] = await seen(await agent.send(`/auth/email-change`))
      expect([again, page.includes('Send the link')]).toEqual([200, true])
    }
    await expectLost(first)
    await confirmChange(agent, second)
    expect([app.ended(), await addressOf(agent)]).toEqual(['changed', 'second@new.example'])
    for (const token of [first, second]) await expectLost(token)
    await requestChange(agent, oldAddress)
    await app.store.updateUser({ id: app.rows.users()[0]?.id ?? '', email: 'third@new.example' })
    await expectLost(tokenOf(app))
    await app.store.updateUser({ id: app.rows.users()[0]?.id ?? '', email: 'second@new.example' })
    await app.store.updateUser({ id: app.rows.users()[0]?.id ?? '', emailVerified: null })
    await expectLost(tokenOf(app))
    expect(await addressOf(agent)).toBe('second@new.example')
    expect(app.notices).toHaveLength(1)
  }),

  scenario('EC-05 EC-03 a link works until it expires', async ({ open }) => {
    for (const [wait, ended] of [
      [89, 'changed'],
      [90, 'invalid'],
    ] as const) {
      const { app, agent } = await openAda(open, { emailChange: { maxAge: 90 } })
      await requestChange(agent)
      app.clock.advance(wait)
      await confirmChange(agent, tokenOf(app))
      expect(app.ended()).toBe(ended)
    }
  }),

  scenario('EC-05 a link does not work for another user, or without a session', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, agent } = await openAda(open, { strategy })
      await requestChange(agent)
      const [bob, stranger] = [app.agent(), app.agent()]
      app.idp.choose('bob')
      await signIn(app, bob)
      for (const response of [await bob.send(pathOf(app)), await confirmChange(bob, tokenOf(app))]) {
        const [status, html] = await seen(response)
        expect([status, html.includes(lost), app.ended()]).toEqual([403, true, 'invalid'])
      }
      const callbackUrl = `${origin}${pathOf(app)}`
      const query = new URLSearchParams({ error: 'SessionRequired', callbackUrl })
      for (const response of [await stranger.send(pathOf(app)), await confirmChange(stranger, tokenOf(app))])
        expect([locationOf(response), app.ended()]).toEqual([`${origin}/auth/signin?${query}`, 'anonymous'])
      expect(app.rows.users().map(({ email }) => email)).toEqual([oldAddress, 'bob@example.com'])
      app.idp.choose('ada')
      expect(locationOf(await signIn(app, stranger, 'idp', { callbackUrl }))).toBe(callbackUrl)
      await confirmChange(stranger, tokenOf(app))
      expect(await addressOf(stranger)).toBe(newAddress)
    }
  }),

  scenario('EC-05 TX-18 a form without the CSRF token of the browser changes nothing', async ({ open }) => {
    const { app, agent } = await openAda(open)
    await requestChange(agent)
    await confirmChange(agent, tokenOf(app), { csrfToken: 'f'.repeat(64) })
    expect([app.ended(), await addressOf(agent), app.rows.tokens().length]).toEqual([
      'refused',
      oldAddress,
      1,
    ])
  }),

  scenario('EC-05 SU-13 CC-10 forged and incomplete links change nothing', async ({ open }) => {
    const { app, agent } = await openAda(open)
    await requestChange(agent)
    const token = tokenOf(app)
    const session = heldSession(agent)
    for (const each of [
      '',
      'forged',
      `${token}x`,
      token.slice(0, -4),
      session,
      app.rows.tokens()[0]?.token ?? '',
    ]) {
      await confirmChange(agent, each)
      expect(app.ended()).toBe('invalid')
    }
    for (const query of ['', '?token=', `?token=${token}&token=${token}`]) {
      await agent.send(`/auth/email-change-confirm${query}`)
      expect(app.ended()).toBe('invalid')
    }
    // Only the sealed address counts.
    await confirmChange(agent, token, { email: 'eve@evil.example' })
    expect(await addressOf(agent)).toBe(newAddress)
  }),

  scenario(
    'EC-06 FI-09 a link is restored if the store fails to say who has the address',
    async ({ open }) => {
      const failures = { left: 0 }
      const { app, agent } = await openAda(open, { wrap: failing('getUserByEmail', failures) })
      await requestChange(agent, 'bob@example.com')
      app.idp.choose('bob')
      await signIn(app, app.agent())
      failures.left = 1
      await confirmChange(agent, tokenOf(app))
      expect([app.ended(), app.rows.tokens().length]).toEqual(['restored', 1])
      await confirmChange(agent, tokenOf(app))
      expect([app.ended(), await addressOf(agent)]).toEqual(['invalid', oldAddress])
    },
  ),

  scenario(
    'EC-06 nothing changes if another user has taken the address in the meantime',
    async ({ open }) => {
      const { app, agent } = await openAda(open)
      await requestChange(agent, 'bob@example.com')
      const bob = app.agent()
      app.idp.choose('bob')
      await signIn(app, bob)
      const [status, html] = await seen(await confirmChange(agent, tokenOf(app)))
      expect([status, html.includes(taken), app.ended()]).toEqual([403, true, 'invalid'])
      expect([await addressOf(agent), await addressOf(bob), app.notices]).toEqual([
        oldAddress,
        'bob@example.com',
        [],
      ])
      expect(app.events.filter(({ event }) => event === 'updateUser')).toEqual([])
    },
  ),

  scenario('EC-06 CC-02 if two users change to the same address, only one gets it', async ({ open }) => {
    const { app, agent } = await openAda(open, { apart: true })
    const bob = app.agent()
    app.idp.choose('bob')
    await signIn(app, bob)
    for (const each of [agent, bob]) await requestChange(each)
    const statuses = await Promise.all(
      [agent, bob].map(async (each, at) => (await confirmChange(each, tokenOf(app, at))).status),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(app.rows.users().filter(({ email }) => email === newAddress)).toHaveLength(1)
    expect(app.notices).toHaveLength(1)
  }),

  scenario('EC-05 CC-04 if two requests use one link, only one changes the address', async ({ open }) => {
    const { app, agent } = await openAda(open)
    await requestChange(agent)
    const csrfToken = await csrfOf(agent)
    const both = await Promise.all([1, 2].map(() => confirmChange(agent, tokenOf(app), { csrfToken })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(app.events.filter(({ event }) => event === 'updateUser')).toHaveLength(1)
  }),

  scenario('EC-03 if two links are requested at the same time, only the last one works', async ({ open }) => {
    const { app, agent } = await openAda(open)
    const csrfToken = await csrfOf(agent)
    const addresses = ['first@new.example', 'second@new.example']
    const both = await Promise.all(addresses.map((email) => requestChange(agent, email, { csrfToken })))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(app.rows.tokens()).toHaveLength(1)
    await confirmChange(agent, tokenOf(app, 0))
    expect(app.ended()).toBe('invalid')
    await confirmChange(agent, tokenOf(app, 1))
    expect(app.ended()).toBe('changed')
  }),

  scenario('EC-06 AL-04 a user can take an address that another user never verified', async ({ open }) => {
    const { app, agent } = await openAda(open, withPasskeys())
    await register(app, 'eve@example.com')
    const eve = app.rows.users().find(({ email }) => email !== oldAddress)
    await app.store.updateUser({ id: eve?.id ?? '', email: newAddress, emailVerified: null })
    app.events.length = 0
    await changeAddress(app, agent)
    expect(app.ended()).toBe('changed')
    const users = app.rows.users()
    expect(users.find(({ id }) => id !== eve?.id)?.email).toBe(newAddress)
    expect(users.find(({ id }) => id === eve?.id)?.email).toBe(`${eve?.id}@unproven.invalid`)
    expect(app.notices).toHaveLength(1)
  }),

  scenario('EC-07 the change ends the other sessions, and this one shows the address', async ({ open }) => {
    const { app, agent, laptop } = await openAda(open)
    await changeAddress(app, agent)
    expect([await addressOf(agent), await sessionOf(laptop)]).toEqual([newAddress, null])
    expect(app.events.filter(({ event }) => event === 'signOut')).toHaveLength(1)
    const listed = await openAda(open, {
      strategy: 'jwt-stored',
      config: { jwt: { revocations: memoryRevocations() } },
    })
    listed.app.clock.advance(2)
    const before = await claimsOf(listed.app, heldSession(listed.agent))
    await changeAddress(listed.app, listed.agent)
    expect(await claimsOf(listed.app, heldSession(listed.agent))).toMatchObject({
      email: newAddress,
      sub: before['sub'],
      auth_time: before['auth_time'],
      revocable: before['revocable'],
    })
    expect([await addressOf(listed.agent), await sessionOf(listed.laptop)]).toEqual([newAddress, null])
  }),

  scenario('EC-07 a token with another address, or without one, does not change', async ({ open }) => {
    for (const email of [undefined, 'public@example.com']) {
      const jwt = ({ token }: { token: object }) => ({ ...token, email })
      const { app, agent } = await openAda(open, { strategy: 'jwt-stored', config: { callbacks: { jwt } } })
      await changeAddress(app, agent)
      expect(app.ended()).toBe('changed')
      expect((await claimsOf(app, heldSession(agent)))['email']).toBe(email)
    }
  }),

  scenario('EC-08 a failed notice does not undo the change', async ({ open }) => {
    const notices: ((() => never) | (() => Promise<never>))[] = [
      unreachable,
      async () => new Promise<never>(() => undefined),
    ]
    for (const sendNotice of notices) {
      const { app, agent, laptop } = await openAda(open, { emailChange: { sendNotice } })
      await requestChange(agent)
      const form = { csrfToken: await csrfOf(agent), token: tokenOf(app) }
      const pending = agent.send('/auth/email-change-confirm', { form })
      for (let turn = 0; turn < 200; turn++) await Promise.resolve()
      await new Promise((resolve) => setTimeout(resolve, 50))
      app.clock.advance(11)
      expect((await pending).status).toBe(200)
      expect([app.ended(), await addressOf(agent), await sessionOf(laptop)]).toEqual([
        'changed',
        newAddress,
        null,
      ])
      expect(app.errors.at(-1)).toMatchObject({ type: 'EmailSignInError' })
    }
  }),

  scenario('EC-08 no notice is sent if the user had no address', async ({ open }) => {
    for (const email of ['', 'u@unproven.invalid']) {
      const { app, agent } = await openAda(open)
      await app.store.updateUser({ id: app.rows.users()[0]?.id ?? '', email })
      await requestChange(agent)
      const html = await (await agent.send(pathOf(app))).text()
      expect(html).not.toContain('Until now')
      await confirmChange(agent, tokenOf(app))
      expect([app.ended(), app.rows.users()[0]?.email, app.notices]).toEqual(['changed', newAddress, []])
    }
  }),

  scenario('EC-09 FI-09 a link whose change fails on the server works again', async ({ open }) => {
    for (const operation of ['getUserByEmail', 'updateUser'] as const) {
      const failures = { left: 0 }
      const { app, agent } = await openAda(open, { wrap: failing(operation, failures) })
      await requestChange(agent)
      const before = app.rows.tokens()
      failures.left = 1
      await confirmChange(agent, tokenOf(app))
      expect([app.ended(), app.rows.tokens(), app.notices]).toEqual(['restored', before, []])
      expect(app.errors.at(-1)?.message).toContain(operation)
      expect(await addressOf(agent)).toBe(oldAddress)
      await confirmChange(agent, tokenOf(app))
      expect([app.ended(), await addressOf(agent), app.notices.length]).toEqual(['changed', newAddress, 1])
    }
  }),

  scenario('EC-09 a change that was stored before the store failed is complete', async ({ open }) => {
    const failures = { left: 0 }
    const { app, agent, laptop } = await openAda(open, { wrap: failing('updateUser', failures, 'after') })
    await requestChange(agent)
    failures.left = 1
    await confirmChange(agent, tokenOf(app))
    expect([app.ended(), await addressOf(agent), await sessionOf(laptop)]).toEqual([
      'changed',
      newAddress,
      null,
    ])
    expect(app.notices).toHaveLength(1)
    expect(app.events.filter(({ event }) => event === 'updateUser')).toHaveLength(1)
  }),
]
