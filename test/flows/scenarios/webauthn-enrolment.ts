import { expect } from 'vitest'
import { origin, sessionOf, signIn, signOut } from '../../support/app.ts'
import { plant } from '../../support/session-cookie.ts'
import { countOf, unreachable, watching, type Call } from '../../support/watch-store.ts'
import { openAuthenticator } from '../../../fuzz/world/webauthn/authenticator.ts'
import {
  askOptions,
  authenticatorsOf,
  breakable,
  perform,
  postAnswer,
  register,
  sitDown,
  withPasskeys,
} from '../../support/webauthn/app.ts'
import { scenario } from '../scenario.ts'
import { eventsOf, expectError, expectNobody, sessionCookie, setsCookie } from '../told.ts'

const newcomer = { action: 'register', email: 'ada@example.com' }

/** To whom a new credential goes, and what is left when it goes to nobody. */
export const webauthnEnrolmentScenarios = [
  scenario('WA-06 a known credential is not registered again, and lets nobody in', async ({ open }) => {
    const calls: Call[] = []
    const app = open(withPasskeys({ wrap: watching(calls) }))
    const ada = await register(app)
    const id = ada.device.held[0]?.id
    const before = await authenticatorsOf(app)
    app.events.length = 0
    const eve = sitDown(app)
    const bob = await register(app, 'bob@example.com')
    for (const [person, fields] of [
      [eve, { action: 'register', email: 'eve@example.com' }],
      [bob, { action: 'register' }],
      [ada, { action: 'register' }],
    ] as [typeof eve, Record<string, string>][]) {
      const response = await perform(person, { fields, faults: { id } })
      expectError(response, 'AccountNotLinked', '/auth/signin')
      expect(app.ended()).toBe('notLinked')
    }
    expect([countOf(calls, 'createUser'), countOf(calls, 'linkAccount')]).toEqual([2, 2])
    expect(await sessionOf(eve.agent)).toBeNull()
    expect(await authenticatorsOf(app)).toEqual(before)
    expect(app.rows.users()).toHaveLength(2)
    expect(app.rows.accounts()).toHaveLength(2)
  }),

  scenario('WA-06 a credential is known by its account, too', async ({ open }) => {
    const blind = breakable('getAuthenticator', () => null)
    const app = open(withPasskeys({ wrap: blind.wrap }))
    const ada = await register(app)
    blind.arm()
    const response = await perform(sitDown(app), {
      fields: { action: 'register', email: 'eve@example.com' },
      faults: { id: ada.device.held[0]?.id },
    })
    expectError(response, 'AccountNotLinked', '/auth/signin')
    expect(app.ended()).toBe('notLinked')
    expect(app.rows.users()).toHaveLength(1)
  }),

  scenario('WA-06 a credential is known though its account is gone', async ({ open }) => {
    const calls: Call[] = []
    const app = open(withPasskeys({ wrap: watching(calls) }))
    const ada = await register(app)
    const [account] = app.rows.accounts()
    if (account) await app.store.unlinkAccount(account)
    const response = await perform(sitDown(app), {
      fields: { action: 'register', email: 'eve@example.com' },
      faults: { id: ada.device.held[0]?.id },
    })
    expectError(response, 'AccountNotLinked', '/auth/signin')
    expect(app.ended()).toBe('notLinked')
    expect(countOf(calls, 'createUser')).toBe(1)
  }),

  scenario('WA-11 DEC-30f DEC-16a who asked has to be signed in when the answer comes', async ({ open }) => {
    for (const strategy of ['database', 'jwt-stored'] as const) {
      const config = { experimental: { enableWebAuthn: true }, session: { maxAge: 600 } }
      const app = open(withPasskeys({ strategy, config }))
      const { agent, device: adaDevice } = await register(app)
      const bob = await register(app, 'bob@example.com')
      const changes = [
        async () => void (await signOut(agent)),
        async () => agent.forget(sessionCookie),
        async () => plant(agent, bob.agent.cookies()[sessionCookie] ?? ''),
        async () => app.clock.advance(600),
      ]
      for (const change of changes) {
        const ada = await reenter(agent)
        const { options } = await askOptions(agent, { action: 'register' })
        await change()
        const made = openAuthenticator(origin).create(options)
        const response = await postAnswer(agent, 'register', made)
        expectError(response, 'AccountNotLinked', '/auth/signin')
        expect(app.ended()).toBe('refused')
        expect(app.errors.at(-1)?.message).toMatch(/not signed in any more/)
        expect(await authenticatorsOf(app, ada)).toHaveLength(1)
        expect(app.rows.accounts()).toHaveLength(2)
        expect(app.rows.users()).toHaveLength(2)
      }

      /** Ada's session, made anew. */
      async function reenter(browser: typeof agent): Promise<string> {
        browser.forget(sessionCookie)
        await perform({ agent: browser, device: adaDevice })
        expect(app.ended()).toBe('signedIn')
        return app.rows.users()[0]?.id ?? ''
      }
    }
  }),

  scenario('WA-11 a challenge for a newcomer adds nothing to whoever signed in since', async ({ open }) => {
    const app = open(withPasskeys())
    const { agent, device } = sitDown(app)
    const { options } = await askOptions(agent, { action: 'register', email: 'eve@example.com' })
    await signIn(app, agent)
    await postAnswer(agent, 'register', device.create(options))
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users().map((user) => user.name)).toEqual(['Ada', 'eve@example.com'])
    expect(await authenticatorsOf(app, app.rows.users()[0]?.id)).toEqual([])
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'eve@example.com' } })
  }),

  scenario(
    'DEC-39a WA-10 AL-04 an address that is somebody’s is neither shared nor told',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { agent, device } = sitDown(app)
      const early = await askOptions(agent, newcomer)
      await signIn(app, app.agent())
      const late = await askOptions(agent, newcomer)
      const drawn = { challenge: 'any', user: {} }
      expect({ ...late.options, ...drawn }).toEqual({ ...early.options, ...drawn })
      app.events.length = 0
      await postAnswer(agent, 'register', device.create(late.options))
      expect(app.ended()).toBe('signedIn')
      const [ada, eve] = app.rows.users()
      expect(ada).toMatchObject({ email: 'ada@example.com', name: 'Ada' })
      expect(eve).toMatchObject({ email: `${eve?.id}@unproven.invalid`, name: 'ada@example.com' })
      expect(app.rows.accounts().map(({ userId }) => userId)).toEqual([ada?.id, eve?.id])
      expect(eventsOf(app)).toEqual(['createUser', 'linkAccount', 'signIn'])
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'ada@example.com', email: null } })
    },
  ),

  scenario('DEC-39a the signIn callback gives a newcomer no address', async ({ open }) => {
    const app = open(
      withPasskeys({
        config: {
          experimental: { enableWebAuthn: true },
          callbacks: {
            signIn({ user }) {
              user.email = 'ada@example.com'
              return true
            },
          },
        },
      }),
    )
    await perform(sitDown(app), { fields: newcomer })
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toMatchObject([{ email: expect.stringMatching(/@unproven\.invalid$/) }])
  }),

  scenario(
    'FI-01 FI-02 AL-11 when storing fails, nothing is left, and the next attempt works',
    async ({ open }) => {
      for (const operation of ['createUser', 'linkAccount', 'createAuthenticator'] as const) {
        const fault = { on: true }
        const app = open(
          withPasskeys({
            wrap: (store) => ({
              ...store,
              [operation]: (row: never) => (fault.on ? unreachable() : store[operation]?.(row)),
            }),
          }),
        )
        const person = sitDown(app)
        const response = await perform(person, { fields: newcomer })
        expectError(response, 'Configuration')
        expect(app.ended()).toBe('faulted')
        expect(setsCookie(response, sessionCookie)).toBe(false)
        expect(app.errors.at(-1)?.message).toContain(operation)
        await expectNobody(app, person.agent)
        fault.on = false
        await perform(person, { fields: newcomer })
        expect(app.ended()).toBe('signedIn')
        expect(eventsOf(app)).toEqual(['createUser', 'linkAccount', 'signIn'])
      }
    },
  ),

  scenario(
    'FI-02 AL-07 a second device that could not be stored leaves the user as they were',
    async ({ open }) => {
      const faults = [breakable('linkAccount', unreachable), breakable('createAuthenticator', unreachable)]
      for (const fault of faults) {
        const app = open(withPasskeys({ wrap: fault.wrap }))
        const { agent } = await register(app)
        const before = [
          app.rows.users(),
          app.rows.accounts(),
          await authenticatorsOf(app),
          app.rows.sessions(),
        ]
        app.events.length = 0
        fault.arm()
        const second = { agent, device: openAuthenticator(origin) }
        expectError(await perform(second, { fields: { action: 'register' } }), 'Configuration')
        expect(app.ended()).toBe('faulted')
        expect([
          app.rows.users(),
          app.rows.accounts(),
          await authenticatorsOf(app),
          app.rows.sessions(),
        ]).toEqual(before)
        expect(app.events).toEqual([])
        expect(await sessionOf(agent)).toMatchObject({ user: { name: newcomer.email } })
      }
    },
  ),

  scenario(
    'FI-02 a store that takes nothing back keeps no more than an account without a key',
    async ({ open }) => {
      const fault = breakable('createAuthenticator', unreachable)
      const app = open(
        withPasskeys({
          wrap: (store) => ({ ...fault.wrap(store), unlinkAccount: undefined, deleteUser: undefined }),
        }),
      )
      fault.arm()
      const { agent, device } = sitDown(app)
      expectError(await perform({ agent, device }, { fields: newcomer }), 'AccountNotLinked', '/auth/signin')
      expect(app.ended()).toBe('notLinked')
      expect(await sessionOf(agent)).toBeNull()
      expectError(await perform({ agent, device }), 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
    },
  ),

  scenario('WA-06 AL-02 of two users who register one credential at once, one gets it', async ({ open }) => {
    const app = open(
      withPasskeys({
        wrap: (store) => ({
          ...store,
          linkAccount(account) {
            if (account.provider === 'passkey') rival(account.providerAccountId)
            return store.linkAccount?.(account)
          },
        }),
      }),
    )
    const rival = (providerAccountId: string) => {
      const [bob] = app.rows.users()
      if (bob)
        void app.store.linkAccount({
          provider: 'passkey',
          providerAccountId,
          type: 'webauthn',
          userId: bob.id,
        })
    }
    app.idp.choose('bob')
    await signIn(app, app.agent())
    const person = sitDown(app)
    expectError(await perform(person, { fields: newcomer }), 'AccountNotLinked', '/auth/signin')
    expect(app.ended()).toBe('notLinked')
    expect(app.rows.users().map((user) => user.email)).toEqual(['bob@example.com'])
    expect(await sessionOf(person.agent)).toBeNull()
  }),
]
