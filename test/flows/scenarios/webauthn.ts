import { expect, vi } from 'vitest'
import { readUser } from '../../../src/session/stored.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import { csrfOf, origin, sessionOf, signIn, type App } from '../../support/app.ts'
import { attestSelf, attestWithList } from '../../../fuzz/world/webauthn/attestations.ts'
import { openAuthenticator, type Made } from '../../../fuzz/world/webauthn/authenticator.ts'
import {
  askOptions,
  authenticatorsOf,
  challengeCookie,
  knowing,
  perform,
  postAnswer,
  register,
  createPerson,
  withPasskeys,
} from '../../support/webauthn/app.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import {
  cookiesOf,
  eventsOf,
  expectError,
  expectNotSignedIn,
  locationOf,
  sessionCookie,
  setsCookie,
} from '../expectations.ts'

type SignIn = NonNullable<NonNullable<AuthConfig['callbacks']>['signIn']>

/** An application whose signIn callback records its arguments, and returns the given result. */
function openAsked(
  open: Stage['open'],
  answer: () => ReturnType<SignIn> = () => true,
  strategy?: 'jwt-stored',
) {
  const asked: Parameters<SignIn>[0][] = []
  const signIn: SignIn = (params) => {
    asked.push(params)
    return answer()
  }
  return {
    app: open(
      withPasskeys({ strategy: strategy ?? 'database', config: { experimental, callbacks: { signIn } } }),
    ),
    asked,
  }
}
const experimental = { enableWebAuthn: true }

/** Registration and sign-in. */
export const webauthnScenarios = [
  scenario(
    'DEC-39a DEC-30a DEC-30f ATN-001 REC-034 REC-035 REC-036 REC-037 REC-038 SE-01 a new user registers a passkey, and is signed in',
    async ({ open }) => {
      const { app, asked } = openAsked(open)
      const person = createPerson(app)
      const csrf = await csrfOf(person.agent)
      const response = await perform(person, {
        fields: { action: 'register', email: ' Ada@Example.com' },
        form: { callbackUrl: '/welcome' },
      })
      expect(response.status).toBe(302)
      expect(locationOf(response).href).toBe('https://app.test/welcome')
      expect(app.ended()).toBe('signedIn')
      expect(await csrfOf(person.agent)).not.toBe(csrf)

      const [user] = app.rows.users()
      expect(app.rows.users()).toEqual([
        {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          name: 'ada@example.com',
          email: `${user?.id}@unproven.invalid`,
          emailVerified: null,
        },
      ])
      const [held] = person.device.held
      const credentialID = Buffer.from(held?.id ?? '', 'base64url').toString('base64')
      const account = {
        provider: 'passkey',
        providerAccountId: credentialID,
        type: 'webauthn',
        userId: user?.id,
      }
      expect(app.rows.accounts()).toEqual([account])
      expect(await authenticatorsOf(app)).toEqual([
        {
          credentialID,
          credentialPublicKey: expect.stringMatching(/^[\w+/]+={0,2}$/),
          counter: 1,
          credentialBackedUp: false,
          credentialDeviceType: 'singleDevice',
          transports: 'internal,hybrid',
          providerAccountId: credentialID,
          userId: user?.id,
        },
      ])
      expect(app.rows.sessions()).toMatchObject([{ userId: user?.id }])
      expect(asked).toMatchObject([
        {
          user: { name: 'ada@example.com' },
          account: { providerAccountId: credentialID },
          profile: { email: 'ada@example.com', email_verified: false },
        },
      ])
      expect(asked[0]?.user).not.toHaveProperty('email')
      expect(eventsOf(app)).toEqual(['createUser', 'linkAccount', 'signIn'])
      expect(app.events[1]?.message).toEqual({
        user: { ...user, email: null },
        account,
        profile: expect.objectContaining({ email: 'ada@example.com' }),
      })
      expect(app.events[2]?.message).toMatchObject({ user: { ...user, email: null }, isNewUser: true })
      expect(await sessionOf(person.agent)).toMatchObject({ user: { name: 'ada@example.com' } })
    },
  ),

  scenario('WA-05 WA-07 SE-02 DEC-15a a passkey signs its owner in, without a name', async ({ open }) => {
    const { app, asked } = openAsked(open)
    const { agent, device } = await register(app)
    const user = readUser(app.rows.users()[0], 'the store')
    const first = app.rows.sessions()[0]?.sessionToken
    await register(app, 'bob@example.com')
    app.events.length = 0
    await agent.send('/auth/session')
    const { action, options } = await askOptions(agent, { action: 'authenticate' })
    expect([action, options.allowCredentials?.length]).toEqual(['authenticate', 1])
    const response = await postAnswer(agent, 'authenticate', device.get(options))
    expect(app.ended()).toBe('signedIn')
    expect(locationOf(response).href).toBe('https://app.test/')
    const mine = app.rows.sessions().filter(({ userId }) => userId === user?.id)
    expect(mine).toHaveLength(1)
    expect(mine[0]?.sessionToken).not.toBe(first)
    expect(app.rows.accounts()).toHaveLength(2)

    const elsewhere = createPerson(app, device)
    const anonymous = await askOptions(elsewhere.agent)
    expect(anonymous).toMatchObject({
      action: 'authenticate',
      options: { rpId: 'app.test', userVerification: 'required' },
    })
    expect(anonymous.options.allowCredentials).toBeUndefined()
    await postAnswer(elsewhere.agent, 'authenticate', device.get(anonymous.options))
    expect(app.ended()).toBe('signedIn')
    expect(await authenticatorsOf(app, user?.id)).toMatchObject([{ counter: 3 }])
    expect(asked.at(-1)).toMatchObject({
      user,
      account: { provider: 'passkey', type: 'webauthn', userId: user?.id },
    })
    expect(eventsOf(app)).toEqual(['session', 'signIn', 'signIn'])
    expect(app.events.at(-1)?.message).toMatchObject({ user, isNewUser: false })
    expect(await sessionOf(elsewhere.agent)).toMatchObject({ user: { name: 'ada@example.com' } })
  }),

  scenario('WA-05 an authenticator without a counter signs in repeatedly', async ({ open }) => {
    const app = open(withPasskeys({ strategy: 'jwt-stored' }))
    const { device } = await register(app, undefined, openAuthenticator(origin, { counts: false }))
    for (let time = 0; time < 2; time++) {
      await perform(createPerson(app, device))
      expect(app.ended()).toBe('signedIn')
    }
    expect(await authenticatorsOf(app)).toMatchObject([{ counter: 0 }])
  }),

  scenario('DEC-30d WIR-048 a security key signs in if getUserInfo finds its owner', async ({ open }) => {
    const app: App = open(withPasskeys({ webauthn: knowing(() => app.rows.users()) }))
    const person = await register(app, 'ada@example.com', undefined, 'webauthn')
    const other = createPerson(app, person.device)
    const { action, options } = await askOptions(other.agent, { email: 'ada@example.com' }, 'webauthn')
    expect(action).toBe('authenticate')
    expect(options.allowCredentials).toEqual([
      { id: person.device.held[0]?.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ])
    await postAnswer(other.agent, 'authenticate', person.device.get(options), { provider: 'webauthn' })
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(other.agent)).toMatchObject({ user: { name: 'ada@example.com' } })
  }),

  ...(['database', 'jwt-stored'] as const).map((strategy) =>
    scenario(
      `WA-11 DEC-30f DEC-16a a signed-in user adds a second device (${strategy})`,
      async ({ open }) => {
        const { app, asked } = openAsked(open, () => true, strategy === 'database' ? undefined : strategy)
        const { agent, device } = await register(app)
        const user = readUser(app.rows.users()[0], 'the store')
        const second = { agent, device: openAuthenticator(origin) }
        app.events.length = 0
        await perform(second, { fields: { action: 'register' } })
        expect(app.ended()).toBe('signedIn')
        expect(app.rows.users()).toHaveLength(1)
        expect(app.rows.accounts().map(({ userId }) => userId)).toEqual([user?.id, user?.id])
        expect(asked).toHaveLength(2)
        expect(asked[1]).toMatchObject({ user, account: { provider: 'passkey' } })
        expect(eventsOf(app)).toEqual(['linkAccount', 'signIn'])
        expect(app.events[0]?.message).toMatchObject({ user, profile: user })
        expect(app.events[1]?.message).toMatchObject({ user, isNewUser: false })
        const known = (await authenticatorsOf(app)).map(({ credentialID }) =>
          Buffer.from(credentialID, 'base64').toString('base64url'),
        )
        expect(known).toEqual([...device.held, ...second.device.held].map(({ id }) => id))
        for (const each of [device, second.device]) {
          await perform(createPerson(app, each))
          expect(app.ended()).toBe('signedIn')
        }
      },
    ),
  ),

  scenario(
    'DEC-30f WA-11 a user of an identity provider adds a passkey, and signs in with it',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { agent, device } = createPerson(app)
      await signIn(app, agent)
      await perform({ agent, device }, { fields: { action: 'register' } })
      expect(app.ended()).toBe('signedIn')
      const other = createPerson(app, device)
      await perform(other)
      expect(await sessionOf(other.agent)).toMatchObject({ user: { email: 'ada@example.com', name: 'Ada' } })
      expect(app.rows.users()).toHaveLength(1)
    },
  ),

  scenario('WA-09 DEC-30e a signIn callback that rejects a registration stores nothing', async ({ open }) => {
    const refusals: (() => boolean | string)[] = [
      () => false,
      () => {
        throw new Error('no')
      },
    ]
    for (const refuse of refusals) {
      const { app } = openAsked(open, refuse)
      const person = createPerson(app)
      expectError(
        await perform(person, { fields: { action: 'register', email: 'ada@example.com' } }),
        'AccessDenied',
      )
      expect(app.ended()).toBe('denied')
      await expectNotSignedIn(app, person.agent)
    }
    const { app } = openAsked(open, () => '/waiting-list')
    const person = createPerson(app)
    const response = await perform(person, { fields: { action: 'register', email: 'ada@example.com' } })
    expect(locationOf(response).href).toBe('https://app.test/waiting-list')
    expect(app.ended()).toBe('sentElsewhere')
    expect(cookiesOf(response).get(challengeCookie)).toMatch(/Max-Age=0/)
    await expectNotSignedIn(app, person.agent)
  }),

  scenario('WA-09 DEC-30e a signIn callback can reject an authentication', async ({ open }) => {
    let answer: boolean | string = true
    const { app } = openAsked(open, () => answer)
    const { device } = await register(app)
    app.events.length = 0
    answer = false
    expectError(await perform(createPerson(app, device)), 'AccessDenied')
    expect(app.ended()).toBe('denied')
    answer = 'https://elsewhere.test/why'
    const response = await perform(createPerson(app, device))
    expect(locationOf(response).href).toBe('https://elsewhere.test/why')
    expect(app.ended()).toBe('sentElsewhere')
    expect(setsCookie(response, sessionCookie)).toBe(false)
    expect(app.rows.sessions()).toHaveLength(1)
    expect(app.events).toEqual([])
  }),

  scenario('DEC-21a a jwt callback that returns null signs nobody in', async ({ open }) => {
    let refuses = true
    const callbacks: AuthConfig['callbacks'] = { jwt: ({ token }) => (refuses ? null : token) }
    const app = open(withPasskeys({ strategy: 'jwt-stored', config: { experimental, callbacks } }))
    const person = createPerson(app)
    expectError(
      await perform(person, { fields: { action: 'register', email: 'ada@example.com' } }),
      'AccessDenied',
    )
    expect(app.ended()).toBe('denied')
    expectError(await perform(person), 'AccessDenied')
    expect(app.ended()).toBe('denied')
    expect(eventsOf(app)).toEqual(['createUser', 'linkAccount'])
    expect(await sessionOf(person.agent)).toBeNull()
    refuses = false
    await perform(person)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('WA-13 DEC-30i an attestation is verified only if the options ask for it', async ({ open }) => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'))
    const attest = (made: Made) => attestWithList(made, 'http://169.254.169.254/')
    try {
      for (const attestationType of [undefined, 'none', 'direct']) {
        const app = open(withPasskeys({ webauthn: { registrationOptions: { attestationType } } }))
        const fields = { action: 'register', email: 'ada@example.com' }
        await perform(createPerson(app), { fields, faults: { attest } })
        expect(app.ended()).toBe(attestationType === 'direct' ? 'unproven' : 'signedIn')
        expect(fetched).toHaveBeenCalledTimes(attestationType === 'direct' ? 1 : 0)
        await perform(createPerson(app), { fields, faults: { attest: attestSelf } })
        expect(app.ended()).toBe('signedIn')
      }
    } finally {
      fetched.mockRestore()
    }
  }),
]
