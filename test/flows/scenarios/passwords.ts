import { expect } from 'vitest'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { readForms } from '../../../fuzz/world/forms.ts'
import type { RateLimitParams } from '../../../src/types/rate-limit.ts'
import { csrfOf, type openApp, origin, sessionOf } from '../../support/app.ts'
import { askForLink, type Mail, mailProvider, pathOf as pathOfMail } from '../../support/mail.ts'
import {
  changePassword,
  fieldsOf,
  newPassword,
  openPasswordApp,
  password,
  type PasswordApp,
  pathOf,
  requestLink,
  resetPassword,
  sendNewPassword,
  signIn,
} from '../../support/passwords.ts'
import { heldSession, plant } from '../../support/session-cookie.ts'
import { type Call, unreachable, watching } from '../../support/watch-store.ts'
import { withPasskeys } from '../../support/webauthn/app.ts'
import { scenario } from '../scenario.ts'

const sent = `${origin}/auth/verify-request?provider=password&type=email`
const invalid = `${origin}/auth/error?error=Verification`
const tooMany = `${origin}/auth/error?error=RateLimited`

const locationOf = (response: Response) => response.headers.get('location')

async function expectPassword(app: PasswordApp, given: string, email?: string) {
  await signIn(app.agent(), email, given)
  expect(app.ended()).toBe('signedIn')
}

/** An application with a user who registered with a passkey and never verified the address. */
async function openUnproven(open: typeof openApp) {
  const app = openPasswordApp(open, withPasskeys())
  await app.addUser({ emailVerified: null })
  const passkey = {
    credentialID: 'aWQ',
    credentialPublicKey: 'a2V5',
    counter: 0,
    credentialBackedUp: false,
    credentialDeviceType: 'singleDevice',
    providerAccountId: 'aWQ',
    userId: 'ada',
  }
  await app.store.createAuthenticator(passkey)
  return app
}

/** Links that set passwords, and changes of passwords. */
export const passwordScenarios = [
  scenario('PW-08 PW-09 PW-12 EVT-011 a user resets the password, and is signed in', async ({ open }) => {
    for (const strategy of ['database', 'jwt-stored'] as const) {
      const app = openPasswordApp(open, { strategy })
      await app.addUser()
      const agent = app.agent()
      const response = await requestLink(agent, ' Ada@Example.com', { callbackUrl: '/home' })
      expect([response.status, locationOf(response), app.ended()]).toEqual([302, sent, 'linkMailed'])
      expect(app.mails).toMatchObject([
        {
          identifier: 'ada@example.com',
          expires: new Date(app.clock.now() + 3_600_000),
          user: { id: 'ada' },
        },
      ])
      expect(app.mails[0]?.request.headers.get('content-type')).toContain('form')
      const page = await agent.send(pathOf(app))
      expect([page.status, app.ended()]).toEqual([200, 'awaitingPassword'])
      const html = await page.text()
      expect(html).toContain('ada@example.com')
      expect(html).toContain('minlength="15"')
      const [form] = readForms(html)
      expect(form?.action).toBe(`${origin}/auth/password-reset/password`)
      const done = await agent.send('/auth/password-reset/password', {
        form: { ...form?.fields, password: newPassword },
      })
      expect([locationOf(done), app.ended()]).toEqual([`${origin}/home`, 'signedIn'])
      expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
      await signIn(app.agent())
      expect(app.ended()).toBe('declined')
      await expectPassword(app, newPassword)
      expect(JSON.stringify([app.events, app.debugs])).not.toContain('$scrypt')
      expect(app.events.filter(({ event }) => event === 'updatePassword')).toMatchObject([
        { message: { user: { id: 'ada' }, isReset: true } },
      ])
    }
  }),

  scenario(
    'PW-09 EM-10 an unknown address registers a verified user, but only by the link',
    async ({ open }) => {
      const app = openPasswordApp(open)
      const agent = app.agent()
      expect(locationOf(await requestLink(agent, 'eve@example.com'))).toBe(sent)
      expect(app.mails).toMatchObject([{ identifier: 'eve@example.com', user: null }])
      await agent.send(pathOf(app))
      expect(app.rows.users()).toEqual([])
      await sendNewPassword(app, agent)
      expect(app.ended()).toBe('signedIn')
      expect(app.rows.users()).toMatchObject([
        { email: 'eve@example.com', emailVerified: new Date(app.clock.now()) },
      ])
      expect(app.events.map(({ event }) => event)).toEqual(['createUser', 'updatePassword', 'signIn'])
      expect(app.events[2]?.message).toMatchObject({ isNewUser: true, account: { provider: 'password' } })
      await expectPassword(app, newPassword, 'eve@example.com')
    },
  ),

  scenario('PW-07 the response and the calls of the store do not depend on the user', async ({ open }) => {
    const calls: Call[] = []
    const app = openPasswordApp(open, { wrap: watching(calls) })
    await app.addUser()
    await app.addUser({ id: 'bob', email: 'bob@example.com', password: null })
    const results = []
    for (const email of ['ada@example.com', 'bob@example.com', 'eve@example.com']) {
      calls.length = 0
      const response = await requestLink(app.agent(), email)
      results.push([locationOf(response), calls.map(({ operation }) => operation)])
    }
    expect(results[0]?.[1]).toContain('createVerificationToken')
    // A database with numeric ids rejects an id that no user has.
    const numeric = openPasswordApp(open, {
      wrap: (store) => ({ ...store, getPassword: (id) => (id === 'ada' ? null : unreachable()) }),
    })
    expect(locationOf(await requestLink(numeric.agent(), 'eve@example.com'))).toBe(sent)
    await signIn(numeric.agent(), 'eve@example.com')
    expect(numeric.ended()).toBe('declined')
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
    expect(app.mails).toHaveLength(3)
  }),

  scenario(
    'PW-07 TX-18 EM-06 a request without a CSRF token or an address mails nothing',
    async ({ open }) => {
      const app = openPasswordApp(open)
      const agent = app.agent()
      for (const [form, error] of [
        [{ email: 'ada@example.com' }, 'MissingCSRF'],
        [{ csrfToken: await csrfOf(agent), email: 'ada' }, 'EmailSignInError'],
      ] as const) {
        const response = await agent.send('/auth/password/password', { form: { ...form } })
        expect([locationOf(response), app.ended()]).toEqual([
          `${origin}/auth/signin?error=${error}`,
          'refused',
        ])
      }
      expect(app.mails).toEqual([])
    },
  ),

  scenario(
    'PW-07 OPT-003 an address over the limit gets no more links, and no token is looked up',
    async ({ open }) => {
      const asked: RateLimitParams[] = []
      const limits: Record<string, number> = { email: 1, verification: 1, credentials: 10 }
      const rateLimit = (attempt: RateLimitParams) =>
        Boolean(asked.push(attempt)) && (limits[attempt.type] = (limits[attempt.type] ?? 0) - 1) >= 0
      const calls: Call[] = []
      const app = openPasswordApp(open, { wrap: watching(calls), config: { callbacks: { rateLimit } } })
      await requestLink(app.agent())
      calls.length = 0
      expect(locationOf(await requestLink(app.agent()))).toBe(tooMany)
      expect([app.ended(), calls, app.mails.length]).toEqual(['denied', [], 1])
      await sendNewPassword(app, app.agent(), { token: 'guess' })
      expect(app.ended()).toBe('invalid')
      calls.length = 0
      expect(locationOf(await sendNewPassword(app, app.agent()))).toBe(tooMany)
      expect([app.ended(), calls]).toEqual(['denied', []])
      expect(asked.map(({ request: _, ...attempt }) => attempt)).toEqual(
        ['email', 'email', 'verification', 'verification'].map((type) => ({
          type,
          provider: 'password',
          identifier: 'ada@example.com',
        })),
      )
    },
  ),

  scenario('PW-09 CB-01 callbacks.signIn decides about the mail and about the password', async ({ open }) => {
    for (const answer of [false, '/elsewhere'] as const)
      for (const phase of ['mail', 'link'] as const) {
        const asked: object[] = []
        const app = openPasswordApp(open, {
          config: {
            callbacks: {
              signIn(params) {
                asked.push(params)
                return (phase === 'mail') === (params.email?.verificationRequest === true) ? answer : true
              },
            },
          },
        })
        await app.addUser()
        const agent = app.agent()
        const response = phase === 'mail' ? await requestLink(agent) : await resetPassword(app, agent)
        expect(locationOf(response)).toBe(
          answer === false ? `${origin}/auth/error?error=AccessDenied` : `${origin}/elsewhere`,
        )
        expect(app.ended()).toBe(answer === false ? 'denied' : 'sentElsewhere')
        expect(asked[0]).toMatchObject({
          user: { id: 'ada' },
          account: { provider: 'password', type: 'email' },
        })
        expect(JSON.stringify(asked)).not.toContain(newPassword)
        expect(await sessionOf(agent)).toBeNull()
        if (phase === 'mail') expect(app.mails).toEqual([])
        expect(await app.store.getPassword('ada')).toContain('$')
        await app.store.deleteSessionsByUserId('ada')
      }
  }),

  scenario('PW-07 SU-11 a link that cannot be mailed has no token left', async ({ open }) => {
    const calls: Call[] = []
    const app = openPasswordApp(open, {
      wrap: watching(calls),
      passwords: {
        sendLink() {
          throw new Error('the mail server is down')
        },
      },
    })
    const response = await requestLink(app.agent())
    expect(locationOf(response)).toBe(`${origin}/auth/signin?error=EmailSignInError`)
    expect(app.ended()).toBe('failed')
    const [stored, taken] = ['createVerificationToken', 'useVerificationToken'].map(
      (name) => calls.find(({ operation }) => operation === name)?.args[0],
    )
    expect(stored).toMatchObject(taken as object)
  }),

  scenario('PW-08 a link works once, in time, and for its address only', async ({ open }) => {
    const app = openPasswordApp(open)
    await app.addUser()
    await app.addUser({ id: 'bob', email: 'bob@example.com' })
    await requestLink(app.agent())
    for (const [name, value] of [
      ['email', 'bob@example.com'],
      ['token', 'guess'],
    ] as const) {
      const response = await sendNewPassword(app, app.agent(), { [name]: value })
      expect([locationOf(response), app.ended()]).toEqual([invalid, 'invalid'])
    }
    await sendNewPassword(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    await sendNewPassword(app, app.agent())
    expect(app.ended()).toBe('invalid')
    await requestLink(app.agent())
    app.clock.advance(3_600_000)
    await sendNewPassword(app, app.agent(), { password: 'too late for this password' })
    expect(app.ended()).toBe('invalid')
    expect(app.errors.at(-1)?.message).toBe('The link has expired')
    await expectPassword(app, newPassword)
    await expectPassword(app, password, 'bob@example.com')
  }),

  scenario('PW-08 SU-02 of two forms of a link at the same time, one sets the password', async ({ open }) => {
    const app = openPasswordApp(open)
    await app.addUser()
    const agents = [app.agent(), app.agent()]
    await requestLink(app.agent())
    for (const agent of agents) await csrfOf(agent)
    const locations = await Promise.all(
      agents.map(async (agent) => locationOf(await sendNewPassword(app, agent))),
    )
    expect(new Set(locations)).toEqual(new Set([origin, invalid]))
  }),

  scenario('PW-07 HH-01 forged headers do not change where a link leads', async ({ open }) => {
    const app = openPasswordApp(open)
    const agent = app.agent()
    const form = { csrfToken: await csrfOf(agent), email: 'ada@example.com' }
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    await agent.send('/auth/password/password', { form, headers })
    expect(app.mails[0]?.url.startsWith(`${origin}/auth/password-reset/password?`)).toBe(true)
    expect(app.mails[0]?.url).not.toContain('evil')
  }),

  scenario('PW-08 a password that was set ends all links from before', async ({ open }) => {
    const app = openPasswordApp(open)
    await app.addUser()
    await requestLink(app.agent())
    const older = fieldsOf(app)
    await resetPassword(app, app.agent())
    await sendNewPassword(app, app.agent(), { ...older, password: 'another password of mine' })
    expect(app.ended()).toBe('invalid')
    await expectPassword(app, newPassword)
  }),

  scenario(
    'PW-08 SU-03 a link for a sign-in sets no password, and a link for a password signs nobody in',
    async ({ open }) => {
      const mails: Mail[] = []
      const app = openPasswordApp(open, { providers: [mailProvider(mails)] })
      await app.addUser()
      const agent = app.agent()
      await askForLink(agent, 'ada@example.com')
      const link = new URL(pathOfMail(mails[0] as Mail), origin)
      await sendNewPassword(app, agent, {
        email: 'ada@example.com',
        token: link.searchParams.get('token') ?? '',
      })
      expect(app.ended()).toBe('invalid')
      await requestLink(agent)
      await agent.send(pathOf(app).replace('password-reset/password', 'callback/mail'))
      const form = { csrfToken: await csrfOf(agent), ...fieldsOf(app) }
      const bound = [null, await app.store.getPassword('ada')].map((hash) =>
        JSON.stringify(['password', fieldsOf(app)['token'], hash]),
      )
      for (const token of [fieldsOf(app)['token'], ...bound]) {
        await agent.send('/auth/callback/mail', { form: { ...form, token: token ?? '' } })
        expect(app.ended()).toBe('invalid')
      }
    },
  ),

  scenario('PW-09 PW-10 a session that cannot be removed does not spare the others', async ({ open }) => {
    for (const act of ['reset', 'change'] as const) {
      let failures = 1
      const app = openPasswordApp(open, {
        wrap: (store) => ({
          ...store,
          deleteSession: (token) => (failures-- > 0 ? unreachable() : store.deleteSession?.(token)),
        }),
      })
      await app.addUser()
      const [agent, ...others] = [app.agent(), app.agent(), app.agent(), app.agent()]
      for (const each of [agent, ...others]) await signIn(each)
      failures = 1
      await (act === 'reset' ? resetPassword(app, app.agent()) : changePassword(agent))
      expect(app.ended()).toBe(act === 'reset' ? 'restored' : 'faulted')
      const live = await Promise.all(others.map(async (each) => (await sessionOf(each)) !== null))
      expect(live.filter(Boolean).length).toBeLessThanOrEqual(1)
    }
  }),

  scenario('PW-08 SU-10 SU-13 only a form with a CSRF token uses a link', async ({ open }) => {
    const app = openPasswordApp(open)
    await app.addUser()
    const agent = app.agent()
    await requestLink(agent)
    await agent.send(pathOf(app), { headers: { purpose: 'prefetch' } })
    expect(app.ended()).toBe('previewed')
    await agent.send('/auth/password-reset/password?token=x')
    expect(app.ended()).toBe('invalid')
    for (let times = 0; times < 2; times++) {
      await app.agent().send(pathOf(app))
      expect(app.ended()).toBe('awaitingPassword')
    }
    const form = { ...fieldsOf(app), password: newPassword }
    const response = await agent.send('/auth/password-reset/password', { form })
    expect(locationOf(response)).toBe(`${origin}/auth/signin?error=MissingCSRF`)
    expect(app.ended()).toBe('refused')
    await sendNewPassword(app, agent)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('PW-06 PW-12 a password that is too short or too long uses up no link', async ({ open }) => {
    const app = openPasswordApp(open)
    await app.addUser()
    const agent = app.agent()
    await requestLink(agent)
    for (const [given, text] of [
      ['fourteen chars', 'at least 15 characters'],
      ['', 'at least 15 characters'],
      ['👩‍🚀'.repeat(4), 'at least 15 characters'],
      ['ä'.repeat(513), 'too long'],
    ] as const) {
      const response = await sendNewPassword(app, agent, { password: given })
      expect([response.status, app.ended()]).toEqual([422, 'awaitingPassword'])
      const html = await response.text()
      expect(html).toContain(text)
      if (given !== '') expect(html).not.toContain(given)
      expect(readForms(html)[0]?.fields).toMatchObject({
        token: fieldsOf(app).token,
        email: 'ada@example.com',
      })
    }
    await sendNewPassword(app, agent, { password: 'fifteen  chars!' })
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('PW-09 a reset ends all other sessions of the user, and no one else’s', async ({ open }) => {
    const app = openPasswordApp(open)
    await app.addUser()
    await app.addUser({ id: 'bob', email: 'bob@example.com' })
    const [thief, bob, agent] = [app.agent(), app.agent(), app.agent()]
    await signIn(thief)
    await signIn(bob, 'bob@example.com')
    app.events.length = 0
    await resetPassword(app, agent)
    expect(await sessionOf(thief)).toBeNull()
    expect(await sessionOf(bob)).toMatchObject({ user: { email: 'bob@example.com' } })
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(app.events.slice(0, 3)).toMatchObject([
      { event: 'signOut', message: { session: { userId: 'ada' } } },
      { event: 'updatePassword' },
      { event: 'signIn' },
    ])
  }),

  scenario(
    'PW-09 OPT-060 the end of a session that has reached its absolute end is not reported',
    async ({ open }) => {
      const app = openPasswordApp(open, { config: { session: { absoluteMaxAge: 240 } } })
      await app.addUser()
      await signIn(app.agent())
      app.clock.advance(100)
      await signIn(app.agent())
      const stricter = openPasswordApp(open, {
        wrap: () => app.store,
        config: { session: { absoluteMaxAge: 150 } },
      })
      stricter.clock.advance(200)
      await resetPassword(stricter, stricter.agent())
      expect(stricter.events.filter(({ event }) => event === 'signOut')).toHaveLength(1)
      expect(app.rows.sessions()).toHaveLength(1)
    },
  ),

  scenario('PW-09 PW-10 with a list of revocations, JWT sessions end as well', async ({ open }) => {
    const jwt = { revocations: memoryRevocations() }
    const app = openPasswordApp(open, { strategy: 'jwt-stored', config: { jwt } })
    await app.addUser()
    await app.addUser({ id: 'bob', email: 'bob@example.com' })
    const [thief, bob, agent] = [app.agent(), app.agent(), app.agent()]
    await signIn(thief)
    await signIn(bob, 'bob@example.com')
    app.clock.advance(1)
    await resetPassword(app, agent)
    expect(await sessionOf(thief)).toBeNull()
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })

    const other = app.agent()
    await signIn(other, 'ada@example.com', newPassword)
    await changePassword(agent, { currentPassword: newPassword, password: `another ${newPassword}` })
    expect(app.ended()).toBe('changed')
    expect(await sessionOf(other)).toBeNull()
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(await sessionOf(bob)).toMatchObject({ user: { email: 'bob@example.com' } })
  }),

  scenario(
    'PW-09 SE-02 a reset replaces the session of the browser, even of another user',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const app = openPasswordApp(open, { strategy })
        await app.addUser()
        await app.addUser({ id: 'bob', email: 'bob@example.com' })
        const agent = app.agent()
        await signIn(agent, 'bob@example.com')
        await resetPassword(app, agent)
        expect(app.ended()).toBe('signedIn')
        expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
        expect(app.rows.sessions().map(({ userId }) => userId)).toEqual(
          strategy === 'database' ? ['ada'] : [],
        )
      }
      const app = openPasswordApp(open, {
        strategy: 'jwt-stored',
        config: { jwt: { revocations: memoryRevocations() } },
      })
      await app.addUser()
      await app.addUser({ id: 'bob', email: 'bob@example.com' })
      const [agent, copy] = [app.agent(), app.agent()]
      await signIn(agent, 'bob@example.com')
      plant(copy, heldSession(agent))
      await resetPassword(app, agent)
      expect(await sessionOf(copy)).toBeNull()
    },
  ),

  scenario(
    'PW-09 EM-10 AL-04 a reset verifies the address, and removes what was there before',
    async ({ open }) => {
      const app = openPasswordApp(open)
      await app.addUser({ emailVerified: null })
      await resetPassword(app, app.agent())
      expect(app.ended()).toBe('signedIn')
      expect(app.rows.users()).toMatchObject([{ id: 'ada', emailVerified: new Date(app.clock.now()) }])
      expect(app.events.map(({ event }) => event)).toEqual(['updateUser', 'updatePassword', 'signIn'])
      await expectPassword(app, newPassword)
    },
  ),

  scenario(
    'PW-09 AL-04 DEC-39c a reset removes passkeys from before the first verification',
    async ({ open }) => {
      const app = await openUnproven(open)
      // An account at a provider distinguishes the user from one who registered with a passkey.
      await app.store.linkAccount({ userId: 'ada', type: 'oidc', provider: 'idp', providerAccountId: 'ada' })
      await resetPassword(app, app.agent())
      expect(app.ended()).toBe('signedIn')
      expect(await app.store.listAuthenticatorsByUserId('ada')).toEqual([])
      await expectPassword(app, newPassword)
    },
  ),

  scenario(
    'PW-13 AL-04 a link that first verifies an address removes the password from before',
    async ({ open }) => {
      const mails: Mail[] = []
      const app = openPasswordApp(open, { providers: [mailProvider(mails)] })
      await app.addUser({ emailVerified: null })
      const agent = app.agent()
      await askForLink(agent, 'ada@example.com')
      await agent.send(pathOfMail(mails[0] as Mail))
      expect(app.ended()).toBe('signedIn')
      expect(await app.store.getPassword('ada')).toBeNull()
      await app.store.setPassword('ada', 'kept')
      await askForLink(agent, 'ada@example.com')
      await agent.send(pathOfMail(mails[1] as Mail))
      expect(await app.store.getPassword('ada')).toBe('kept')
    },
  ),

  scenario(
    'PW-09 DEC-39b the owner of an address gets a separate user if another user claimed it',
    async ({ open }) => {
      const app = await openUnproven(open)
      const agent = app.agent()
      await resetPassword(app, agent)
      expect(app.ended()).toBe('signedIn')
      expect(app.mails).toMatchObject([{ user: null }])
      const [claimant, owner] = app.rows.users()
      expect(claimant?.email).not.toBe('ada@example.com')
      expect(owner).toMatchObject({ email: 'ada@example.com', emailVerified: new Date(app.clock.now()) })
      expect(await app.store.getPassword(owner?.id ?? '')).not.toBeNull()
    },
  ),

  scenario('PW-09 CC-01 CC-02 two forms for a new address create one user', async ({ open }) => {
    const app: PasswordApp = openPasswordApp(open, {
      wrap: (store) => ({
        ...store,
        async createUser(user) {
          await store.createUser?.({ ...user, id: 'faster' })
          return unreachable()
        },
      }),
    })
    await resetPassword(app, app.agent(), 'eve@example.com')
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toMatchObject([{ id: 'faster' }])
    await expectPassword(app, newPassword, 'eve@example.com')
  }),

  scenario(
    'FI-01 PW-12 a store that fails is a fault, which does not reveal the password',
    async ({ open }) => {
      const faults = {
        createUser: ['eve@example.com', resetPassword, 'restored'],
        setPassword: ['ada@example.com', resetPassword, 'restored'],
        useVerificationToken: ['ada@example.com', resetPassword, 'faulted'],
        createVerificationToken: [
          'ada@example.com',
          async (_: PasswordApp, agent, email) => requestLink(agent, email),
          'faulted',
        ],
      } as const satisfies Record<
        string,
        readonly [
          string,
          (app: PasswordApp, agent: ReturnType<PasswordApp['agent']>, email: string) => Promise<Response>,
          string,
        ]
      >
      for (const [operation, [email, run, end]] of Object.entries(faults)) {
        const app = openPasswordApp(open, { wrap: (store) => ({ ...store, [operation]: unreachable }) })
        await app.addUser()
        const agent = app.agent()
        const response = await run(app, agent, email)
        expect(locationOf(response)).toContain('error=Configuration')
        expect(app.ended()).toBe(end)
        expect(app.errors[0]?.message).toBe(`The adapter's ${operation} failed`)
        expect(JSON.stringify([app.errors.map(String), app.debugs, app.events])).not.toContain(newPassword)
        expect(await sessionOf(agent)).toBeNull()
      }
    },
  ),

  scenario('PW-09 DEC-21a the jwt callback can refuse the session of a reset', async ({ open }) => {
    const app = openPasswordApp(open, { strategy: 'jwt-stored', config: { callbacks: { jwt: () => null } } })
    await app.addUser()
    const agent = app.agent()
    const response = await resetPassword(app, agent)
    expect(locationOf(response)).toBe(`${origin}/auth/error?error=AccessDenied`)
    expect(app.ended()).toBe('denied')
  }),

  scenario('PW-10 EVT-011 a user changes the password, and stays signed in here only', async ({ open }) => {
    const app = openPasswordApp(open)
    await app.addUser()
    await app.addUser({ id: 'bob', email: 'bob@example.com' })
    const [agent, thief, bob] = [app.agent(), app.agent(), app.agent()]
    await signIn(agent)
    await signIn(thief)
    await signIn(bob, 'bob@example.com')
    const page = await agent.send('/auth/password-change/password?callbackUrl=/account')
    expect(page.status).toBe(200)
    const [form] = readForms(await page.text())
    app.events.length = 0
    const response = await agent.send('/auth/password-change/password', {
      form: { ...form?.fields, currentPassword: password, password: newPassword },
    })
    expect([locationOf(response), app.ended()]).toEqual([`${origin}/account`, 'changed'])
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(await sessionOf(thief)).toBeNull()
    expect(await sessionOf(bob)).toMatchObject({ user: { email: 'bob@example.com' } })
    expect(app.events.slice(0, 2)).toMatchObject([
      { event: 'signOut', message: { session: { userId: 'ada' } } },
      { event: 'updatePassword', message: { user: { id: 'ada' }, isReset: false } },
    ])
    await expectPassword(app, newPassword)
    await expectPassword(app, password, 'bob@example.com')
  }),

  scenario(
    'PW-10 EVT-011 a change needs the current password, and an acceptable new one',
    async ({ open }) => {
      const app = openPasswordApp(open)
      await app.addUser()
      const [agent, other] = [app.agent(), app.agent()]
      await signIn(agent)
      await signIn(other)
      const hash = await app.store.getPassword('ada')
      for (const [fields, text] of [
        [{ currentPassword: 'wrong' }, 'The current password does not match'],
        [{ currentPassword: '' }, 'The current password does not match'],
        [{ password: 'short' }, 'at least 15 characters'],
      ] as const) {
        const response = await changePassword(agent, { ...fields })
        expect([response.status, app.ended()]).toEqual([422, 'awaitingPassword'])
        expect(await response.text()).toContain(text)
      }
      const form = { currentPassword: password, password: newPassword }
      await agent.send('/auth/password-change/password', { form })
      expect(app.ended()).toBe('refused')
      expect(await app.store.getPassword('ada')).toBe(hash)
      expect(app.events.filter(({ event }) => event === 'updatePassword')).toEqual([])
      expect(await sessionOf(other)).toMatchObject({ user: {} })
    },
  ),

  scenario('PW-10 a user without a password cannot change it', async ({ open }) => {
    const app = openPasswordApp(open)
    await app.addUser()
    const agent = app.agent()
    await signIn(agent)
    await app.store.deletePassword('ada')
    await changePassword(agent, { currentPassword: '' })
    expect(app.ended()).toBe('awaitingPassword')
    expect(await app.store.getPassword('ada')).toBeNull()
  }),

  scenario('PW-05 PW-10 EVT-011 a reset in the meantime wins over a change', async ({ open }) => {
    const app: PasswordApp = openPasswordApp(open, {
      wrap: (store) => ({
        ...store,
        async setPassword(userId, hash, held) {
          if (held) await store.setPassword?.(userId, 'reset')
          return store.setPassword?.(userId, hash, held) ?? false
        },
      }),
    })
    await app.addUser()
    const agent = app.agent()
    await signIn(agent)
    const response = await changePassword(agent)
    expect([response.status, app.ended()]).toEqual([422, 'awaitingPassword'])
    expect(await app.store.getPassword('ada')).toBe('reset')
    expect(app.events.filter(({ event }) => event === 'updatePassword')).toEqual([])
  }),

  scenario('PW-10 OPT-003 guesses at the current password count for the account', async ({ open }) => {
    const asked: RateLimitParams[] = []
    const rateLimit = (attempt: RateLimitParams) => asked.push(attempt) <= 2
    const app = openPasswordApp(open, { config: { callbacks: { rateLimit } } })
    await app.addUser()
    const agent = app.agent()
    await signIn(agent)
    await changePassword(agent, { currentPassword: 'guess' })
    expect(app.ended()).toBe('awaitingPassword')
    const response = await changePassword(agent)
    expect([locationOf(response), app.ended()]).toEqual([tooMany, 'denied'])
    expect(asked.map(({ request: _, ...attempt }) => attempt)).toMatchObject([
      { type: 'credentials', provider: 'password', account: 'ada@example.com' },
      {
        type: 'credentials',
        provider: 'password',
        account: 'ada@example.com',
        credentials: { email: 'ada@example.com' },
      },
      { type: 'credentials', provider: 'password', account: 'ada@example.com' },
    ])
    expect(asked[1]).toMatchObject({ credentials: { email: 'ada@example.com' } })
    expect(JSON.stringify(asked[1])).not.toContain('guess')
  }),

  scenario('PW-10 SE-04 nobody changes a password without a live session', async ({ open }) => {
    for (const strategy of ['database', 'jwt-stored'] as const) {
      const app = openPasswordApp(open, {
        strategy,
        config: { session: { strategy: strategy === 'database' ? 'database' : 'jwt', maxAge: 3600 } },
      })
      await app.addUser()
      const change = async (agent: ReturnType<PasswordApp['agent']>) => {
        const response = await changePassword(agent)
        expect(locationOf(response)).toBe(
          `${origin}/auth/signin?error=SessionRequired&callbackUrl=${encodeURIComponent(`${origin}/auth/password-change/password`)}`,
        )
        expect(app.ended()).toBe('anonymous')
      }
      await change(app.agent())
      const [late, stranger, gone] = [app.agent(), app.agent(), app.agent()]
      stranger.set('__Secure-authjs.session-token=unknown; Path=/; Secure')
      await change(stranger)
      await signIn(gone)
      await signIn(late)
      const copy = Object.entries(late.cookies())
      app.clock.advance(3_600_000)
      for (const [name, value] of copy) late.set(`${name}=${value}; Path=/; Secure`)
      await change(late)
      await signIn(gone)
      await app.store.deleteUser('ada')
      await change(gone)
    }
  }),

  scenario(
    'PW-10 a change works with JWT sessions, and a failed change does not reveal the password',
    async ({ open }) => {
      const app = openPasswordApp(open, { strategy: 'jwt-stored' })
      await app.addUser()
      const agent = app.agent()
      await signIn(agent)
      await changePassword(agent)
      expect(app.ended()).toBe('changed')
      await expectPassword(app, newPassword)
      const broken = openPasswordApp(open, {
        wrap: (store) => ({ ...store, listSessionsByUserId: unreachable }),
      })
      await broken.addUser()
      const other = broken.agent()
      await signIn(other)
      await changePassword(other)
      expect(broken.ended()).toBe('faulted')
      expect(JSON.stringify([broken.errors.map(String), broken.debugs, broken.events])).not.toContain(
        newPassword,
      )
    },
  ),

  scenario('PW-14 the routes exist for a password provider only', async ({ open }) => {
    const app = openPasswordApp(open, { providers: [mailProvider([])] })
    const agent = app.agent()
    for (const action of ['password', 'password-reset', 'password-change']) {
      expect((await agent.send(`/auth/${action}/mail`)).status).toBe(404)
      expect((await agent.send(`/auth/${action}`)).status).toBe(404)
      expect((await agent.send(`/auth/${action}/unknown`)).status).toBe(404)
    }
    const page = await agent.send('/auth/password/password')
    const [form] = readForms(await page.text())
    expect(form?.action).toBe(`${origin}/auth/password/password`)
    await agent.send('/auth/password/password', { form: { ...form?.fields, email: 'ada@example.com' } })
    expect(app.ended()).toBe('linkMailed')
    const signInPage = await (await agent.send('/auth/signin')).text()
    expect(signInPage).toContain(`href="${origin}/auth/password/password"`)
  }),
]
