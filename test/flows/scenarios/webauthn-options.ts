import { expect } from 'vitest'
import type { AdapterUser } from '../../../src/types/adapter.ts'
import type { WebAuthnUserConfig } from '../../../src/types/provider.ts'
import { digestOffered } from '../../../src/webauthn/challenge.ts'
import { signIn, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { reveal, seal } from '../../support/sealed.ts'
import { plant } from '../../support/session-cookie.ts'
import { unreachable } from '../../support/watch-store.ts'
import {
  askOptions,
  breakable,
  challengeCookie,
  knowing,
  perform,
  register,
  createPerson,
  withPasskeys,
} from '../../support/webauthn/app.ts'
import { scenario } from '../scenario.ts'
import { cookiesOf, expectError, sessionCookie } from '../expectations.ts'

const lengthOf = (base64url = '') => Buffer.from(base64url, 'base64url').length
const challengeOf = async (app: App, agent: Agent) =>
  reveal(app, agent.cookies()[challengeCookie] ?? '', challengeCookie)

/** Every way in which a session ends. */
const losses: readonly (readonly [
  event: string,
  strategy: 'database' | 'jwt-stored',
  lose: (app: App, agent: Agent, user: AdapterUser) => Promise<unknown>,
])[] = [
  ['cookie.absent', 'database', async (_, agent) => agent.forget(sessionCookie)],
  ['session.unknown', 'database', async (_, agent) => plant(agent, 'garbage')],
  ['session.expired', 'database', async (app) => app.clock.advance(600)],
  ['token.invalid', 'jwt-stored', async (_, agent) => plant(agent, 'garbage')],
  ['token.expired', 'jwt-stored', async (app) => app.clock.advance(600)],
  [
    'user.unknown',
    'jwt-stored',
    async (app, agent) => plant(agent, await seal(app, { sub: 'nobody' }, sessionCookie)),
  ],
]

/** The options for the page's script. */
export const webauthnOptionsScenarios = [
  scenario(
    'WIR-048 DEC-30c a new user gets registration options with their own challenge',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { agent } = createPerson(app)
      const response = await agent.send(
        '/auth/webauthn-options/passkey?action=register&email=ada@example.com',
      )
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('cache-control')).toContain('no-store')
      const { action, options } = (await response.json()) as Awaited<ReturnType<typeof askOptions>>
      expect(action).toBe('register')
      expect(options).toMatchObject({
        rp: { id: 'app.test', name: 'app.test' },
        user: { name: 'ada@example.com' },
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      expect([lengthOf(options.challenge), lengthOf(options.user?.id)]).toEqual([32, 48])
      expect(app.ended()).toBe('answered')
      expect(cookiesOf(response).get(challengeCookie)).toMatch(/Max-Age=900.*HttpOnly.*Secure/)
      expect(await challengeOf(app, agent)).toMatchObject({
        value: options.challenge,
        ceremony: 'register',
        provider: 'passkey',
        newcomer: { email: 'ada@example.com' },
        offered: [],
      })
      const again = await askOptions(agent, { action: 'register', email: 'ada@example.com' })
      expect(again.options.challenge).not.toBe(options.challenge)
      expect(app.rows.users()).toEqual([])
    },
  ),

  scenario(
    'WIR-048 WA-11 the action, the address and the session determine the ceremony',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { agent } = await register(app)
      const stranger = app.agent()
      const known = { email: 'ada@example.com' }
      const unknown = { email: 'eve@example.com' }
      const rows: (readonly [Agent, Record<string, string>, string])[] = [
        [stranger, {}, 'authenticate'],
        [stranger, known, 'authenticate'],
        [stranger, unknown, 'authenticate'],
        [stranger, { email: 'no address' }, 'authenticate'],
        [stranger, { action: 'authenticate' }, 'authenticate'],
        [stranger, { action: 'authenticate', ...unknown }, 'authenticate'],
        [stranger, { action: 'register', ...unknown }, 'register'],
        [stranger, { action: 'register', ...known }, 'register'],
        [stranger, { action: 'register' }, 'Invalid request'],
        [stranger, { action: 'register', email: 'no address' }, 'Invalid request'],
        [agent, {}, 'Invalid request'],
        [agent, unknown, 'Invalid request'],
        [agent, { action: 'authenticate' }, 'authenticate'],
        [agent, { action: 'register' }, 'register'],
      ]
      for (const [who, fields, expected] of rows) {
        const { status, action, error } = await askOptions(who, fields)
        const isRefused = expected.startsWith('Invalid')
        expect([fields, action ?? error, status]).toEqual([fields, expected, isRefused ? 400 : 200])
        expect(app.ended()).toBe(isRefused ? 'refused' : 'answered')
      }
      expect(app.rows.users()).toHaveLength(1)
    },
  ),

  scenario('WIR-048 an unknown action is rejected, and sets no cookie', async ({ open }) => {
    const app = open(withPasskeys())
    for (const query of ['action=sign-in', 'action=', 'action=register&action=register', 'action=Register']) {
      const response = await app.agent().send(`/auth/webauthn-options/passkey?${query}&email=a@example.com`)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ error: 'Invalid action' })
      expect(response.headers.getSetCookie()).toEqual([])
      expect(app.ended()).toBe('refused')
    }
  }),

  scenario('WA-11 WA-06 registration options exclude the signed-in user’s credentials', async ({ open }) => {
    const app = open(withPasskeys())
    const { agent, device } = await register(app)
    const [user] = app.rows.users()
    const { options } = await askOptions(agent, { action: 'register', email: 'eve@example.com' })
    expect(options.excludeCredentials).toMatchObject([{ id: device.held[0]?.id }])
    expect([options.user?.name, lengthOf(options.user?.id)]).toEqual(['ada@example.com', 32])
    expect(await challengeOf(app, agent)).toMatchObject({ ceremony: 'register', startedBy: user?.id })
    expect(await challengeOf(app, agent)).not.toHaveProperty('newcomer')
    const again = await askOptions(agent, { action: 'register' })
    expect(again.options.user?.id).toBe(options.user?.id)

    await askOptions(agent, { action: 'authenticate' })
    const credentialID = app.rows.accounts()[0]?.providerAccountId ?? ''
    expect(await challengeOf(app, agent)).toMatchObject({
      ceremony: 'authenticate',
      startedBy: user?.id,
      user: user?.id,
      offered: [await digestOffered(credentialID)],
    })
  }),

  scenario('WA-08 no options depend on whether an address is known', async ({ open }) => {
    const app = open(withPasskeys())
    const ada = app.agent()
    await signIn(app, ada)
    await perform({ agent: ada, device: createPerson(app).device }, { fields: { action: 'register' } })
    const { agent } = createPerson(app)
    const drawn = { challenge: 'any', user: { name: 'any' } }
    for (const provider of ['passkey', 'webauthn'])
      for (const wish of [{}, { action: 'authenticate' }, { action: 'register' }] as Record<
        string,
        string
      >[]) {
        const [known, unknown] = [
          await askOptions(agent, { ...wish, email: 'ada@example.com' }, provider),
          await askOptions(agent, { ...wish, email: 'eve@example.com' }, provider),
        ]
        expect(await challengeOf(app, agent)).toMatchObject({ offered: [] })
        expect(await challengeOf(app, agent)).not.toHaveProperty('user')
        expect({ ...known, options: { ...known.options, ...drawn } }).toEqual({
          ...unknown,
          options: { ...unknown.options, ...drawn },
        })
      }
  }),

  scenario(
    'WA-08 a custom getUserInfo does not make the options list discoverable passkeys',
    async ({ open }) => {
      const app: App = open(withPasskeys({ webauthn: knowing(() => app.rows.users()) }))
      await register(app)
      const { agent } = createPerson(app)
      const known = await askOptions(agent, { email: 'ada@example.com' })
      expect([known.action, known.options.allowCredentials]).toEqual(['authenticate', undefined])
    },
  ),

  scenario('EM-05 an address is returned in its canonical form', async ({ open }) => {
    const app = open(withPasskeys())
    for (const email of ['ADA@EXAMPLE.COM', ' ada@example.com ', 'ada@ｅxample.com'])
      expect(await askOptions(app.agent(), { action: 'register', email })).toMatchObject({
        options: { user: { name: 'ada@example.com' } },
      })
  }),

  scenario('DEC-39a WIR-048 a new user gets a discoverable credential', async ({ open }) => {
    const fields = { action: 'register', email: 'ada@example.com' }
    const selectionOf = async (webauthn: WebAuthnUserConfig) =>
      (await askOptions(open(withPasskeys({ webauthn })).agent(), fields, 'webauthn')).options
    const found = { authenticatorSelection: { residentKey: 'required', requireResidentKey: true } }
    expect(await selectionOf({})).toMatchObject(found)
    expect(await selectionOf(knowing(() => []))).not.toMatchObject(found)
  }),

  ...losses.map(([event, strategy, lose]) =>
    scenario(`DEC-16a SE-04 an ended session does not count (${event})`, async ({ open }) => {
      const config = { experimental: { enableWebAuthn: true }, session: { maxAge: 600 } }
      const app = open(withPasskeys({ strategy, config }))
      const { agent, device } = await register(app)
      const [user] = app.rows.users()
      if (user) await lose(app, agent, user)
      const held = agent.cookies()[sessionCookie]
      app.hops.length = 0
      expect(await askOptions(agent, { action: 'register' })).toMatchObject({ status: 400 })
      expect(app.hops.map((hop) => hop.event)).toContain(event)
      const answered = await askOptions(agent, { action: 'register', email: 'bob@example.com' })
      expect([answered.action, answered.options.user?.name]).toEqual(['register', 'bob@example.com'])
      expect(await challengeOf(app, agent)).not.toHaveProperty('startedBy')
      expect(agent.cookies()[sessionCookie]).toBe(held)

      app.hops.length = 0
      await perform({ agent, device }, { fields: { action: 'register', email: 'bob@example.com' } })
      expect(app.hops.map((hop) => hop.event).filter((each) => each === event)).toHaveLength(2)
      expect(app.ended()).toBe('signedIn')
      expect(app.rows.users().map(({ name }) => name)).toEqual(['ada@example.com', 'bob@example.com'])
    }),
  ),

  scenario("WIR-048 the provider's settings for relying party and users apply", async ({ open }) => {
    const asked: string[] = []
    const app = open(
      withPasskeys({
        webauthn: {
          relayingParty: {
            id: ['example.test', 'other.test'],
            name: 'Example',
            origin: 'https://login.example.test',
          },
          getUserInfo: async ({ adapter, provider }, request) => {
            const name = new URL(request.url).searchParams.get('name')
            asked.push(`${provider.id} ${name}`)
            if (name === null) return null
            const user = await adapter.getUserByEmail?.('ada@example.com')
            if (name === 'ada' && user) return { user, exists: true }
            return { user: { name, email: name === 'eve' ? 'Eve@Example.com' : undefined }, exists: false }
          },
        },
      }),
    )
    const { agent } = createPerson(app)
    await signIn(app, app.agent())
    expect(await askOptions(agent, { name: 'ada' })).toMatchObject({
      action: 'authenticate',
      options: { rpId: 'example.test' },
    })
    expect(await challengeOf(app, agent)).toMatchObject({ user: app.rows.users()[0]?.id })
    expect(await askOptions(agent, { name: 'eve' })).toMatchObject({
      options: {
        rp: { id: 'example.test', name: 'Example' },
        user: { name: 'eve@example.com', displayName: 'eve' },
      },
    })
    expect(await challengeOf(app, agent)).toMatchObject({
      newcomer: { name: 'eve', email: 'eve@example.com' },
    })
    expect(await askOptions(agent, { name: 'bob' })).toMatchObject({ options: { user: { name: 'bob' } } })
    expect(await askOptions(agent)).toMatchObject({ action: 'authenticate' })
    expect(asked).toEqual(['passkey ada', 'passkey eve', 'passkey bob', 'passkey null'])

    const other = open(
      withPasskeys({
        webauthn: {
          getRelayingParty: (_, { url }) => ({ id: 'own.test', name: url, origin: 'https://own.test' }),
        },
      }),
    )
    expect(await askOptions(other.agent(), { action: 'register', email: 'a@example.com' })).toMatchObject({
      options: {
        rp: { id: 'own.test', name: expect.stringContaining('/auth/webauthn-options/passkey?action') },
      },
    })
  }),

  scenario(
    'WIR-048 DEC-16a the options of a signed-in user do not depend on getUserInfo',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        let asked = 0
        const getUserInfo = () => {
          asked += 1
          return null
        }
        const app = open(withPasskeys({ strategy, webauthn: { getUserInfo } }))
        const agent = app.agent()
        await signIn(app, agent)
        expect(await askOptions(agent, { action: 'register' })).toMatchObject({ action: 'register' })
        expect(asked).toBe(0)
      }
    },
  ),

  scenario('DEC-30a configured options are passed on unchanged, and never modified', async ({ open }) => {
    const registrationOptions = Object.freeze({
      authenticatorSelection: Object.freeze({ residentKey: 'preferred' }),
      timeout: 1000,
    })
    const app = open(
      withPasskeys({ webauthn: { registrationOptions, authenticationOptions: { timeout: 2000 } } }),
    )
    const { agent } = createPerson(app)
    await signIn(app, agent)
    expect(await askOptions(agent, { action: 'register' }, 'webauthn')).toMatchObject({
      options: { timeout: 1000, authenticatorSelection: { residentKey: 'preferred' } },
    })
    expect(await askOptions(app.agent())).toMatchObject({ options: { timeout: 2000 } })
  }),

  scenario(
    'FI-01 FI-03 a store that fails, or returns malformed lists, yields no options',
    async ({ open }) => {
      const row = {
        credentialID: 'AAAA',
        credentialPublicKey: 'AAAA',
        providerAccountId: 'AAAA',
        userId: 'u',
      }
      const lists = [null, {}, [null], [row], [{ ...row, counter: '1' }], [{ ...row, counter: 2 ** 32 }]]
      const faults = [
        breakable('listAuthenticatorsByUserId', unreachable),
        ...lists.map((list) => breakable('listAuthenticatorsByUserId', () => list)),
      ]
      for (const fault of faults) {
        const webauthn = knowing(() => app.rows.users())
        const app: App = open(withPasskeys({ wrap: fault.wrap, webauthn }))
        await register(app)
        fault.arm()
        const response = await app.agent().send('/auth/webauthn-options/webauthn?email=ada@example.com')
        expectError(response, 'Configuration')
        expect(app.ended()).toBe('faulted')
        expect(cookiesOf(response).has(challengeCookie)).toBe(false)
        expect(app.errors.at(-1)?.name).toBe('AdapterError')
      }
    },
  ),

  scenario('WIR-048 RTE-001 the route accepts GET for a WebAuthn provider', async ({ open }) => {
    const app = open(withPasskeys())
    const agent = app.agent()
    const posted = await agent.send('/auth/webauthn-options/passkey', { form: {} })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
    for (const path of ['idp', 'nothing'])
      expect((await agent.send(`/auth/webauthn-options/${path}`)).status).toBe(404)
    const callback = await agent.send('/auth/callback/passkey?action=authenticate&data={}')
    expect([callback.status, callback.headers.get('allow')]).toEqual([405, 'POST'])
    expect(app.hops).toEqual([])
  }),
]
