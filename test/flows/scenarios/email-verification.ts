import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { skipCSRFCheck } from '../../../src/types/symbols.ts'
import { readForms } from '../../../fuzz/world/forms.ts'
import { csrfOf, secret, sessionOf, signIn } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { copyCookies, followLink } from '../../support/follow-link.ts'
import { askForLink, mailProvider, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import { scenario } from '../scenario.ts'

const invalid = 'https://app.test/auth/error?error=Verification'

/** A link to follow, and the browser that requested it. */
async function mailed(
  app: ReturnType<typeof openMailApp>,
  email = 'ada@example.com',
  agent = app.agent(),
): Promise<Mail & { readonly agent: Agent }> {
  await askForLink(agent, email, { callbackUrl: '/home' })
  const mail = app.mails.at(-1)
  if (!mail) throw new Error('nothing was mailed')
  return { ...mail, agent }
}

/** The second half of an e-mail sign-in. */
export const emailVerificationScenarios = [
  scenario(
    'ATN-009 AL-07 EM-10 CB-02 CBK-032 a new address gets a verified user and a session',
    async ({ open }) => {
      const asked: object[] = []
      const app = openMailApp(open, {
        config: { callbacks: { signIn: (params) => Boolean(asked.push(params)) } },
      })
      const mail = await mailed(app)
      const { agent } = mail
      const response = await agent.send(pathOf(mail))
      expect(response.headers.get('location')).toBe('https://app.test/home')
      expect(app.ended()).toBe('signedIn')
      expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
      const user = await app.store.getUserByEmail('ada@example.com')
      expect(user?.emailVerified).toEqual(new Date(app.clock.now()))
      expect(asked[1]).not.toHaveProperty('email')
      expect(app.events.map(({ event }) => event)).toEqual(['createUser', 'signIn', 'session'])
      expect(app.events[1]?.message).toMatchObject({ isNewUser: true, account: { type: 'email' } })
    },
  ),

  scenario(
    'EM-10 AL-07 EVT-004 DEC-02e a known address is verified once, by the first of its links',
    async ({ open }) => {
      const calls: string[] = []
      const app = openMailApp(open, {
        wrap: (adapter) => ({
          ...adapter,
          getUserByEmail: (email) => (calls.push('read'), adapter.getUserByEmail?.(email) ?? null),
          createUser: (user) => {
            calls.push('create')
            throw new Error(`created a second user: ${user.email}`)
          },
        }),
      })
      await app.store.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null })
      const first = await mailed(app)
      calls.length = 0
      await first.agent.send(pathOf(first))
      expect(calls).toEqual(['read'])
      const proven = (await app.store.getUserByEmail('ada@example.com'))?.emailVerified
      expect(proven).toEqual(new Date(app.clock.now()))
      app.clock.advance(3600)
      const second = await mailed(app)
      await second.agent.send(pathOf(second))
      expect((await app.store.getUserByEmail('ada@example.com'))?.emailVerified).toEqual(proven)
      expect(app.events.map(({ event }) => event)).toEqual(['updateUser', 'signIn', 'signIn'])
      expect(app.events[0]?.message).toMatchObject({ user: { id: 'u1', emailVerified: proven } })
      expect(app.events[1]?.message).toMatchObject({ isNewUser: false })
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario('SU-01 a link works once', async ({ open }) => {
    const app = openMailApp(open)
    const mail = await mailed(app)
    expect((await mail.agent.send(pathOf(mail))).headers.get('location')).toBe('https://app.test/home')
    const again = app.agent()
    const response = await followLink(again, pathOf(mail))
    expect(response.headers.get('location')).toBe(invalid)
    expect(app.ended()).toBe('invalid')
    expect(await sessionOf(again)).toBeNull()
  }),

  scenario(
    'SU-02 DEC-28b a wrong or missing address fails, and does not use up the link',
    async ({ open }) => {
      const app = openMailApp(open)
      await mailed(app, 'bob@example.com')
      const mail = await mailed(app)
      for (const email of ['bob@example.com', 'eve@example.com', '', undefined]) {
        const agent = app.agent()
        const response = await followLink(agent, pathOf(mail, { email }))
        expect(response.headers.get('location')).toBe(invalid)
        expect(app.ended()).toBe('invalid')
        expect(await sessionOf(agent)).toBeNull()
      }
      expect((await mail.agent.send(pathOf(mail))).headers.get('location')).toBe('https://app.test/home')
    },
  ),

  scenario(
    'SU-02 FI-03 a store that returns another link, or one without a date, signs nobody in',
    async ({ open }) => {
      const later = new Date(Date.UTC(2040, 0))
      const answers = [
        { identifier: 'eve@example.com', expires: later },
        { token: 'another', expires: later },
        { expires: '2040-01-01T00:00:00Z' as unknown as Date },
        { expires: new Date(Number.NaN) },
      ]
      for (const answer of answers) {
        const app = openMailApp(open, {
          wrap: (adapter) => ({
            ...adapter,
            useVerificationToken: (asked) => Object.assign({ ...asked, expires: later }, answer),
          }),
        })
        const mail = await mailed(app)
        const { agent } = mail
        expect((await agent.send(pathOf(mail))).headers.get('location')).toContain('/auth/error?error=')
        expect(['invalid', 'faulted']).toContain(app.ended())
        expect(await sessionOf(agent)).toBeNull()
      }
    },
  ),

  scenario('SU-13 TX-12 DEC-08 an empty, blank, missing or duplicate token is rejected', async ({ open }) => {
    const app = openMailApp(open)
    const mail = await mailed(app)
    for (const token of ['', ' ', undefined])
      expect((await mail.agent.send(pathOf(mail, { token }))).headers.get('location')).toBe(invalid)
    const twice = await mail.agent.send(`${pathOf(mail)}&token=${mail.token}`)
    expect(twice.headers.get('location')).toBe(invalid)
    expect(app.ended()).toBe('invalid')
    expect((await mail.agent.send(pathOf(mail))).headers.get('location')).toBe('https://app.test/home')
  }),

  scenario('SU-03 a link expires to the millisecond, and is then deleted', async ({ open }) => {
    const app = openMailApp(open, { mail: { maxAge: 60 } })
    const early = await mailed(app)
    app.clock.advance(59.999)
    expect((await early.agent.send(pathOf(early))).headers.get('location')).toBe('https://app.test/home')
    const late = await mailed(app)
    app.clock.advance(60)
    const response = await followLink(late.agent, pathOf(late))
    expect(response.headers.get('location')).toBe(invalid)
    expect(app.ended()).toBe('invalid')
    const token = createHash('sha256').update(`${late.token}${secret}`).digest('hex')
    expect(await app.store.useVerificationToken({ identifier: late.identifier, token })).toBeNull()
  }),

  scenario('IL-02 the log says that a link was used before, without its token', async ({ open }) => {
    const app = openMailApp(open)
    const mail = await mailed(app)
    await mail.agent.send(pathOf(mail))
    const response = await followLink(mail.agent, pathOf(mail))
    expect(response.headers.get('location')).toBe(invalid)
    expect(app.ended()).toBe('invalid')
    const logged = inspect(app.errors)
    expect(logged).toContain('already used')
    expect(logged).not.toContain(mail.token)
  }),

  scenario('SU-10 DEC-28c a preview does not use up the link', async ({ open }) => {
    const app = openMailApp(open)
    const mail = await mailed(app)
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
    ] as Record<string, string>[]) {
      const agent = app.agent()
      const response = await agent.send(pathOf(mail), { headers })
      expect(response.status).toBe(200)
      expect(app.ended()).toBe('previewed')
      expect(await sessionOf(agent)).toBeNull()
    }
    for (const method of ['HEAD', 'OPTIONS'])
      expect((await mail.agent.send(pathOf(mail), { method })).status).toBe(405)
    expect((await mail.agent.send(pathOf(mail))).headers.get('location')).toBe('https://app.test/home')
  }),

  scenario(
    'DEC-28d SU-10 TX-21 with confirm: "always", opening the link shows a button, and only the button signs in',
    async ({ open }) => {
      const app = openMailApp(open, { mail: { confirm: 'always' } })
      const mail = await mailed(app)
      const { agent } = mail
      const shown = await agent.send(pathOf(mail))
      expect(shown.status).toBe(200)
      expect(app.ended()).toBe('awaitingConfirmation')
      const html = await shown.text()
      expect(html).toContain('ada@example.com')
      expect(await sessionOf(agent)).toBeNull()

      const form = { token: mail.token, email: mail.identifier, callbackUrl: 'https://app.test/home' }
      const forged = await agent.send('/auth/callback/mail', { form: { ...form, csrfToken: 'f'.repeat(64) } })
      expect(forged.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
      expect(app.ended()).toBe('refused')

      const csrfToken = /name="csrfToken" value="(\w+)"/.exec(html)?.[1] ?? ''
      const pressed = await agent.send('/auth/callback/mail', { form: { ...form, csrfToken } })
      expect(pressed.headers.get('location')).toBe('https://app.test/home')
      expect(app.ended()).toBe('signedIn')
      expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    },
  ),

  scenario(
    'SU-14 RO-03 DEC-25a a link created under a listed secret works, one of a removed secret does not',
    async ({ open }) => {
      const old = 'the old secret of this application'
      const app = openMailApp(open, { config: { secret: [old] } })
      const [kept, dropped] = [await mailed(app), await mailed(app, 'bob@example.com')]
      app.config.secret = [old]
      const rotated = openMailApp(open, { config: { secret: [secret, old] }, wrap: () => app.store })
      expect(
        (await copyCookies(kept.agent, rotated.agent()).send(pathOf(kept))).headers.get('location'),
      ).toBe('https://app.test/home')
      const removed = openMailApp(open, { config: { secret: [secret] }, wrap: () => app.store })
      expect((await copyCookies(dropped.agent, removed.agent()).send(pathOf(dropped))).status).toBe(200)
      expect(removed.ended()).toBe('awaitingConfirmation')
    },
  ),

  scenario('SU-15 DEC-05d a link of one e-mail provider is not accepted by another', async ({ open }) => {
    const mails: Mail[] = []
    const providers = [mailProvider(mails), mailProvider(mails, { id: 'other' })]
    const app = open({ strategy: 'database', providers })
    const agent = app.agent()
    await askForLink(agent, 'ada@example.com')
    const [mail] = mails
    const path = pathOf(mail as Mail)
    const page = await agent.send(path.replace('/mail?', '/other?'))
    expect(app.ended()).toBe('awaitingConfirmation')
    const form = readForms(await page.text()).find(({ fields }) => 'token' in fields)?.fields ?? {}
    const taken = await agent.send('/auth/callback/other', { form })
    expect(taken.headers.get('location')).toBe(invalid)
    expect((await agent.send(path)).headers.get('location')).toBe('https://app.test')
    expect(app.ended()).toBe('signedIn')
  }),

  scenario(
    'SU-12 CB-01 WA-09 a signIn callback that rejects the second request creates no user and no session',
    async ({ open }) => {
      const answers = [
        { answer: false, location: 'https://app.test/auth/error?error=AccessDenied', ended: 'denied' },
        { answer: '/apply', location: 'https://app.test/apply', ended: 'sentElsewhere' },
      ]
      for (const { answer, location, ended } of answers) {
        const app = openMailApp(open, {
          config: { callbacks: { signIn: ({ email }) => (email ? true : answer) } },
        })
        const mail = await mailed(app)
        const { agent } = mail
        expect((await agent.send(pathOf(mail))).headers.get('location')).toBe(location)
        expect(app.ended()).toBe(ended)
        expect(await app.store.getUserByEmail('ada@example.com')).toBeNull()
        expect(await sessionOf(agent)).toBeNull()
        expect(app.events).toEqual([])
      }
    },
  ),

  scenario(
    'CB-01 TX-21 a signIn callback can also redirect after the button was pressed',
    async ({ open }) => {
      const app = openMailApp(open, {
        mail: { confirm: 'always' },
        config: { callbacks: { signIn: ({ email }) => (email ? true : '/apply') } },
      })
      const mail = await mailed(app)
      const { agent, token, identifier } = mail
      await agent.send(pathOf(mail))
      expect(app.ended()).toBe('awaitingConfirmation')
      const form = { csrfToken: await csrfOf(agent), token, email: identifier }
      const pressed = await agent.send('/auth/callback/mail', { form })
      expect(pressed.headers.get('location')).toBe('https://app.test/apply')
      expect(app.ended()).toBe('sentElsewhere')
      expect(await sessionOf(agent)).toBeNull()
    },
  ),

  scenario(
    'DEC-21a CBK-013 a jwt callback that returns null rejects a user who followed a link',
    async ({ open }) => {
      const app = openMailApp(open, { strategy: 'jwt-stored', config: { callbacks: { jwt: () => null } } })
      const mail = await mailed(app)
      const { agent } = mail
      expect((await agent.send(pathOf(mail))).headers.get('location')).toBe(
        'https://app.test/auth/error?error=AccessDenied',
      )
      expect(app.ended()).toBe('denied')
      expect(await sessionOf(agent)).toBeNull()
    },
  ),

  scenario(
    'WIR-011 mails, buttons and forms need no token if the framework checks for CSRF',
    async ({ open }) => {
      const app = openMailApp(open, { mail: { confirm: true }, config: { skipCSRFCheck } })
      const agent = app.agent()
      await agent.send('/auth/signin/mail', { form: { email: 'ada@example.com' } })
      expect(app.ended()).toBe('linkMailed')
      const { token, identifier } = app.mails[0] as Mail
      expect(await (await agent.send(pathOf(app.mails[0] as Mail))).text()).not.toContain('csrfToken')
      await agent.send('/auth/callback/mail', { form: { token, email: identifier } })
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario(
    'CC-02 DEC-20a a link signs in the user that a concurrent request has created',
    async ({ open }) => {
      const app = openMailApp(open, {
        wrap: (adapter) => ({
          ...adapter,
          createUser: async (user) => {
            await adapter.createUser?.({ ...user, id: 'faster', name: 'Faster' })
            throw new Error('duplicate key')
          },
        }),
      })
      const mail = await mailed(app)
      const { agent } = mail
      await agent.send(pathOf(mail))
      expect(app.ended()).toBe('signedIn')
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Faster' } })
      expect(app.events.map(({ event }) => event)).toEqual(['signIn', 'session'])
    },
  ),

  scenario(
    'FI-01 CC-02 a failure to create the user shows an error, and creates no session',
    async ({ open }) => {
      const app = openMailApp(open, {
        wrap: (adapter) => ({
          ...adapter,
          createUser: () => {
            throw new Error('disk full')
          },
        }),
      })
      const mail = await mailed(app)
      const { agent } = mail
      const response = await agent.send(pathOf(mail))
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
      expect(app.ended()).toBe('restored')
      expect(response.headers.getSetCookie().join()).not.toContain('session-token')
    },
  ),

  scenario(
    "DEC-15a SE-01 FI-13 signing in with a link revokes the browser's previous session",
    async ({ open }) => {
      const app = openMailApp(open)
      const agent = app.agent()
      await agent.send(pathOf(await mailed(app, 'bob@example.com', agent)))
      const before = agent.cookies()['__Secure-authjs.session-token'] ?? ''
      await agent.send(pathOf(await mailed(app, 'ada@example.com', agent)))
      expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
      expect(agent.cookies()['__Secure-authjs.session-token']).not.toBe(before)
      expect(await app.store.getSessionAndUser(before)).toBeNull()
    },
  ),

  scenario('CFG-027 a new user is redirected to the page for new users', async ({ open }) => {
    const app = openMailApp(open, { config: { pages: { newUser: '/hello?from=mail' } } })
    const mail = await mailed(app)
    const response = await mail.agent.send(pathOf(mail))
    expect(response.headers.get('location')).toBe(
      'https://app.test/hello?from=mail&callbackUrl=https%3A%2F%2Fapp.test%2Fhome',
    )
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('EM-10 an address from a provider does not count as verified', async ({ open }) => {
    const app = open({
      strategy: 'database',
      idp: { users: [{ sub: 'ada', claims: { email: 'ada@example.com', email_verified: true } }] },
    })
    await signIn(app, app.agent())
    expect((await app.store.getUserByEmail('ada@example.com'))?.emailVerified).toBeNull()
  }),

  scenario(
    'TX-18 the button requires the CSRF token of this browser even if links work without a button',
    async ({ open }) => {
      const app = openMailApp(open, { mail: { confirm: 'never' } })
      const mail = await mailed(app)
      const { agent } = mail
      await csrfOf(agent)
      const form = { token: mail.token, email: mail.identifier, csrfToken: '0'.repeat(64) }
      expect((await agent.send('/auth/callback/mail', { form })).headers.get('location')).toBe(
        'https://app.test/auth/signin?error=MissingCSRF',
      )
      expect(app.ended()).toBe('refused')
    },
  ),
]
