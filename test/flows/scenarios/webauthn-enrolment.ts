import { expect } from 'vitest'
import { origin, sessionOf, signIn, signOut } from '../../support/app.ts'
import { plant } from '../../support/session-cookie.ts'
import { countOf, unreachable, watching, type Call } from '../../support/watch-store.ts'
import { openAuthenticator } from '../../../fuzz/world/webauthn/authenticator.ts'
import {
  askOptions,
  authenticatorsOf,
  breakable,
  challengeCookie,
  perform,
  postAnswer,
  register,
  createPerson,
  withPasskeys,
} from '../../support/webauthn/app.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import { scenario } from '../scenario.ts'
import { eventsOf, expectError, expectNotSignedIn, sessionCookie, setsCookie } from '../expectations.ts'

const newcomer = { action: 'register', email: 'ada@example.com' }

/** Which user gets a new credential, and the rows that remain if nobody gets it. */
export const webauthnEnrolmentScenarios = [
  scenario(
    'DEC-30j a credential id has at most 1023 bytes, which are not in the cookie',
    async ({ open }) => {
      const app = open(withPasskeys())
      const idOf = (length: number) => Buffer.alloc(length, 1).toString('base64url')
      const refused = await perform(createPerson(app), { fields: newcomer, faults: { id: idOf(1024) } })
      expectError(refused, 'WebAuthnVerificationError')
      expect(await authenticatorsOf(app)).toEqual([])
      const person = createPerson(app)
      await perform(person, { fields: newcomer, faults: { id: idOf(1023) } })
      expect(app.ended()).toBe('signedIn')
      const asked = await person.agent.send('/auth/webauthn-options/passkey?action=authenticate')
      expect(asked.headers.getSetCookie().join().length).toBeLessThan(1000)
      await perform(person, { fields: { action: 'authenticate' } })
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario('WA-06 a known credential is not registered again, and signs nobody in', async ({ open }) => {
    const calls: Call[] = []
    const app = open(withPasskeys({ wrap: watching(calls) }))
    const ada = await register(app)
    const id = ada.device.held[0]?.id
    const before = await authenticatorsOf(app)
    app.events.length = 0
    const eve = createPerson(app)
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

  scenario('WA-06 a credential is also recognised by its account', async ({ open }) => {
    const blind = breakable('getAuthenticator', () => null)
    const app = open(withPasskeys({ wrap: blind.wrap }))
    const ada = await register(app)
    blind.arm()
    const response = await perform(createPerson(app), {
      fields: { action: 'register', email: 'eve@example.com' },
      faults: { id: ada.device.held[0]?.id },
    })
    expectError(response, 'AccountNotLinked', '/auth/signin')
    expect(app.ended()).toBe('notLinked')
    expect(app.rows.users()).toHaveLength(1)
  }),

  scenario('WA-06 a credential without its account is still recognised', async ({ open }) => {
    const calls: Call[] = []
    const app = open(withPasskeys({ wrap: watching(calls) }))
    const ada = await register(app)
    const [account] = app.rows.accounts()
    if (account) await app.store.unlinkAccount(account)
    const response = await perform(createPerson(app), {
      fields: { action: 'register', email: 'eve@example.com' },
      faults: { id: ada.device.held[0]?.id },
    })
    expectError(response, 'AccountNotLinked', '/auth/signin')
    expect(app.ended()).toBe('notLinked')
    expect([countOf(calls, 'createUser'), countOf(calls, 'getUser')]).toEqual([1, 0])
  }),

  scenario(
    'WA-11 DEC-30f DEC-16a the requesting user must still be signed in for the response',
    async ({ open }) => {
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
          expect(app.errors.at(-1)?.message).toMatch(/no longer signed in/)
          expect(await authenticatorsOf(app, ada)).toHaveLength(1)
          expect(app.rows.accounts()).toHaveLength(2)
          expect(app.rows.users()).toHaveLength(2)
        }

        /** Ada's session, issued again. */
        async function reenter(browser: typeof agent): Promise<string> {
          browser.forget(sessionCookie)
          await perform({ agent: browser, device: adaDevice })
          expect(app.ended()).toBe('signedIn')
          return app.rows.users()[0]?.id ?? ''
        }
      }
    },
  ),

  scenario(
    'WA-11 a challenge for a new user adds nothing to a user who has signed in since',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { agent, device } = createPerson(app)
      const { options } = await askOptions(agent, { action: 'register', email: 'eve@example.com' })
      await signIn(app, agent)
      await postAnswer(agent, 'register', device.create(options))
      expect(app.ended()).toBe('signedIn')
      expect(app.rows.users().map((user) => user.name)).toEqual(['Ada', 'eve@example.com'])
      expect(await authenticatorsOf(app, app.rows.users()[0]?.id)).toEqual([])
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'eve@example.com' } })
    },
  ),

  scenario('WA-11 WA-02 a used challenge adds nothing to the user it created', async ({ open }) => {
    const app = open(withPasskeys())
    const ada = createPerson(app)
    const { options } = await askOptions(ada.agent, newcomer)
    const challenge = ada.agent.cookies()[challengeCookie] ?? ''
    await postAnswer(ada.agent, 'register', ada.device.create(options))
    const eve = createPerson(app)
    eve.agent.set(`${challengeCookie}=${challenge}; Path=/; Secure`)
    await postAnswer(eve.agent, 'register', eve.device.create(options))
    const [first, second] = app.rows.users()
    expect(second?.id).not.toBe(first?.id)
    expect(app.rows.accounts().map(({ userId }) => userId)).toEqual([first?.id, second?.id])
    expect(await authenticatorsOf(app, first?.id)).toHaveLength(1)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('AL-11 FI-02 a response that is posted twice registers once', async ({ open }) => {
    // Each operation takes two turns of the event loop, so that both requests proceed equally.
    const wrap = (adapter: Adapter): Adapter =>
      Object.fromEntries(
        Object.entries(adapter).map(([name, operation]: [string, (...args: unknown[]) => unknown]) => [
          name,
          async (...args: unknown[]) => {
            await new Promise((resolve) => setImmediate(resolve))
            const answer = await operation(...args)
            await new Promise((resolve) => setImmediate(resolve))
            return answer
          },
        ]),
      )
    const app = open(withPasskeys({ wrap }))
    const { agent, device } = createPerson(app)
    const { options } = await askOptions(agent, newcomer)
    const answer = device.create(options)
    await Promise.all([postAnswer(agent, 'register', answer), postAnswer(agent, 'register', answer)])
    expect(app.rows.users()).toHaveLength(1)
    expect(await authenticatorsOf(app, app.rows.users()[0]?.id)).toHaveLength(1)
    await perform({ agent: app.agent(), device })
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('DEC-39a WA-10 AL-04 a taken address is neither shared nor revealed', async ({ open }) => {
    const app = open(withPasskeys())
    const { agent, device } = createPerson(app)
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
  }),

  scenario('DEC-39a the signIn callback receives no address for a new user', async ({ open }) => {
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
    await perform(createPerson(app), { fields: newcomer })
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toMatchObject([{ email: expect.stringMatching(/@unproven\.invalid$/) }])
  }),

  scenario(
    'FI-01 FI-02 AL-11 a failure to store leaves nothing behind, and the next attempt works',
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
        const person = createPerson(app)
        const response = await perform(person, { fields: newcomer })
        expectError(response, 'Configuration')
        expect(app.ended()).toBe('faulted')
        expect(setsCookie(response, sessionCookie)).toBe(false)
        expect(app.errors.at(-1)?.message).toContain(operation)
        await expectNotSignedIn(app, person.agent)
        fault.on = false
        await perform(person, { fields: newcomer })
        expect(app.ended()).toBe('signedIn')
        expect(eventsOf(app)).toEqual(['createUser', 'linkAccount', 'signIn'])
      }
    },
  ),

  scenario(
    'FI-02 AL-11 signs in a new user whose row was stored although the store failed',
    async ({ open }) => {
      const app = open(
        withPasskeys({
          wrap: (store) => ({
            ...store,
            createUser: async (user) => {
              await store.createUser?.(user)
              return unreachable()
            },
          }),
        }),
      )
      const person = createPerson(app)
      await perform(person, { fields: newcomer })
      expect(app.ended()).toBe('signedIn')
      expect(app.hops.map(({ event }) => event)).toContain('user.unconfirmed')
      expect(app.rows.users()).toHaveLength(1)
      expect(eventsOf(app)).toEqual(['createUser', 'linkAccount', 'signIn'])
      expect(await sessionOf(person.agent)).not.toBeNull()
    },
  ),

  scenario(
    'FI-02 AL-07 a second device that could not be stored changes nothing for the user',
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
    'FI-02 AL-07 adds a second device whose row was stored although the store failed',
    async ({ open }) => {
      const fault = { on: false }
      const app = open(
        withPasskeys({
          wrap: (store) => ({
            ...store,
            createAuthenticator: async (row) => {
              const stored = await store.createAuthenticator?.(row)
              return fault.on ? unreachable() : (stored ?? row)
            },
          }),
        }),
      )
      const { agent } = await register(app)
      app.events.length = 0
      fault.on = true
      const second = { agent, device: openAuthenticator(origin) }
      await perform(second, { fields: { action: 'register' } })
      expect(app.ended()).toBe('signedIn')
      expect(app.rows.users()).toHaveLength(1)
      expect(await authenticatorsOf(app)).toHaveLength(2)
      expect(eventsOf(app)).toEqual(['linkAccount', 'signIn'])
      const person = createPerson(app, second.device)
      await perform(person)
      expect(await sessionOf(person.agent)).toMatchObject({ user: { name: newcomer.email } })
    },
  ),

  scenario(
    'FI-02 AL-07 removes the account of a second device whose row cannot be stored or looked up',
    async ({ open }) => {
      const fault = { on: false }
      const app = open(
        withPasskeys({
          wrap: (store) => ({
            ...store,
            createAuthenticator: (row) =>
              (fault.on ? unreachable() : store.createAuthenticator?.(row)) as never,
            getAuthenticator: (id) =>
              (fault.on && app.hops.some(({ event }) => event === 'account.linked')
                ? unreachable()
                : store.getAuthenticator?.(id)) as never,
          }),
        }),
      )
      const { agent } = await register(app)
      const accounts = app.rows.accounts()
      app.hops.length = 0
      fault.on = true
      const second = { agent, device: openAuthenticator(origin) }
      expectError(await perform(second, { fields: { action: 'register' } }), 'Configuration')
      expect(app.rows.accounts()).toEqual(accounts)
    },
  ),

  scenario(
    'FI-02 at most an account without a key remains if the store cannot remove rows',
    async ({ open }) => {
      const fault = breakable('createAuthenticator', unreachable)
      const app = open(
        withPasskeys({
          wrap: (store) => ({ ...fault.wrap(store), unlinkAccount: undefined, deleteUser: undefined }),
        }),
      )
      fault.arm()
      const { agent, device } = createPerson(app)
      expectError(await perform({ agent, device }, { fields: newcomer }), 'AccountNotLinked', '/auth/signin')
      expect(app.ended()).toBe('notLinked')
      expect(await sessionOf(agent)).toBeNull()
      expectError(await perform({ agent, device }), 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
    },
  ),

  scenario(
    'WA-06 AL-02 only one of two users who concurrently register one credential gets it',
    async ({ open }) => {
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
      const person = createPerson(app)
      expectError(await perform(person, { fields: newcomer }), 'AccountNotLinked', '/auth/signin')
      expect(app.ended()).toBe('notLinked')
      expect(app.rows.users().map((user) => user.email)).toEqual(['bob@example.com'])
      expect(await sessionOf(person.agent)).toBeNull()
    },
  ),
]
