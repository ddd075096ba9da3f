import { expect } from 'vitest'
import { skipCSRFCheck } from '../../../src/types/symbols.ts'
import { csrfOf, origin, sessionOf, signIn, type App } from '../../support/app.ts'
import { reveal, seal } from '../../support/sealed.ts'
import { plant } from '../../support/session-cookie.ts'
import { openAuthenticator, type Authenticator } from '../../../fuzz/world/webauthn/authenticator.ts'
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
import { scenario } from '../scenario.ts'
import { cookiesOf, expectError, expectNotSignedIn, sessionCookie } from '../expectations.ts'

const newcomer = { action: 'register', email: 'ada@example.com' }

/** How versions of `@simplewebauthn/browser` pass a user handle to the authenticator, and report its own. */
const clients = [
  {
    name: '@simplewebauthn/browser 9',
    store: (id: string) => Buffer.from(id, 'utf8'),
    report: (handle: Buffer) => handle.toString('utf8'),
  },
  {
    name: '@simplewebauthn/browser 10 and later',
    store: (id: string) => Buffer.from(id, 'base64url'),
    report: (handle: Buffer) => handle.toString('base64url'),
  },
]

/** A challenge is valid for one ceremony, in one browser, at one provider, by one user, once. */
export const webauthnChallengeScenarios = [
  scenario(
    'TX-17 TX-18 DEC-30b a passkey response without this browser’s CSRF token changes nothing',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { agent, device } = createPerson(app)
      const own = await csrfOf(agent)
      const foreign = await csrfOf(app.agent())
      for (const csrfToken of [undefined, '', foreign, own.slice(1), own.toUpperCase()]) {
        const { options } = await askOptions(agent, newcomer)
        const form = {
          action: 'register',
          data: JSON.stringify(device.create(options)),
          ...(csrfToken !== undefined && { csrfToken }),
        }
        const response = await agent.send('/auth/callback/passkey', { form })
        expectError(response, 'MissingCSRF', '/auth/signin')
        expect(app.ended()).toBe('refused')
        expect(cookiesOf(response).get(challengeCookie)).toMatch(/Max-Age=0/)
      }
      await expectNotSignedIn(app, agent)
    },
  ),

  scenario('WIR-011 without the CSRF check, a ceremony needs no token', async ({ open }) => {
    const app = open(withPasskeys({ config: { experimental: { enableWebAuthn: true }, skipCSRFCheck } }))
    const { agent, device } = createPerson(app)
    const { options } = await askOptions(agent, newcomer)
    const form = { action: 'register', data: JSON.stringify(device.create(options)), callbackUrl: '/welcome' }
    const response = await agent.send('/auth/callback/passkey', { form })
    expect(app.ended()).toBe('signedIn')
    expect(response.headers.get('location')).toBe('https://app.test/welcome')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: newcomer.email } })
  }),

  scenario('WA-01 DEC-12a every response consumes its challenge', async ({ open }) => {
    const app = open(withPasskeys())
    const { agent, device } = await register(app)
    const challenge = async () => agent.cookies()[challengeCookie]
    expect(await challenge()).toBeUndefined()
    const { options } = await askOptions(agent, { action: 'authenticate' })
    const answer = device.get(options)
    expect(await challenge()).toBeDefined()
    await postAnswer(agent, 'authenticate', answer)
    expect(app.ended()).toBe('signedIn')
    expect(await challenge()).toBeUndefined()
    const again = await postAnswer(agent, 'authenticate', answer)
    expectError(again, 'InvalidCheck')
    expect(app.ended()).toBe('refused')
    expect(app.errors.at(-1)?.name).toBe('InvalidCheck')
    expect(app.errors.at(-1)?.message).toMatch(/missing/)

    await askOptions(agent, { action: 'authenticate' })
    await postAnswer(agent, 'authenticate', 'garbage')
    expect(await challenge()).toBeUndefined()
  }),

  scenario(
    'WA-01 WA-05 a replayed challenge and response sign nobody in if the authenticator counts',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { agent, device } = await register(app)
      const { options } = await askOptions(agent, { action: 'authenticate' })
      const held = agent.cookies()[challengeCookie] ?? ''
      const answer = device.get(options)
      await postAnswer(agent, 'authenticate', answer)
      plant(agent, held, challengeCookie)
      expectError(await postAnswer(agent, 'authenticate', answer), 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
    },
  ),

  scenario('WA-02 a challenge is valid for fifteen minutes, and not a second longer', async ({ open }) => {
    const app = open(withPasskeys())
    const { device } = await register(app)
    for (const [seconds, end] of [
      [899, 'signedIn'],
      [900, 'refused'],
    ] as const) {
      const { agent } = createPerson(app)
      const { options } = await askOptions(agent)
      app.clock.advance(seconds)
      const response = await postAnswer(agent, 'authenticate', device.get(options))
      expect(app.ended()).toBe(end)
      if (end === 'refused') expectError(response, 'InvalidCheck')
    }
  }),

  scenario(
    'WA-02 DEC-30c a challenge is accepted only for its own ceremony and provider',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { device } = await register(app)
      const { agent } = createPerson(app)
      for (const [asked, provider, posted, action] of [
        [{}, 'passkey', 'passkey', 'register'],
        [newcomer, 'passkey', 'passkey', 'authenticate'],
        [{}, 'webauthn', 'passkey', 'authenticate'],
        [newcomer, 'webauthn', 'passkey', 'register'],
        [newcomer, 'passkey', 'webauthn', 'register'],
      ] as [Record<string, string>, string, string, 'register' | 'authenticate'][]) {
        const { options } = await askOptions(agent, asked, provider)
        const site = { rpId: 'app.test', rp: { id: 'app.test' } }
        const made =
          action === 'register'
            ? openAuthenticator(origin).create({ ...options, ...site })
            : device.get({ ...options, ...site })
        const response = await postAnswer(agent, action, made, { provider: posted })
        expectError(response, 'InvalidCheck')
        expect(app.ended()).toBe('refused')
        expect(app.errors.at(-1)?.message).toMatch(/webauthnChallenge value could not be parsed/)
      }
      expect(app.rows.users()).toHaveLength(1)
    },
  ),

  scenario(
    'WA-02 JW-05 a value sealed for another purpose or by another key is not a challenge',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { device } = await register(app)
      const { agent } = createPerson(app)
      const claims = { value: 'AAAA', ceremony: 'authenticate', provider: 'passkey', offered: [] }
      const answer = device.get({ challenge: 'AAAA', rpId: 'app.test' })
      const values = [
        'garbage',
        await seal(app, claims, sessionCookie),
        await seal(app, { ...claims, value: '' }, challengeCookie),
        await seal(app, { ...claims, offered: undefined }, challengeCookie),
      ]
      for (const value of values) {
        plant(agent, value, challengeCookie)
        expectError(await postAnswer(agent, 'authenticate', answer), 'InvalidCheck')
        expect(app.ended()).toBe('refused')
      }
      plant(agent, await seal(app, claims, challengeCookie), challengeCookie)
      await postAnswer(agent, 'authenticate', answer)
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario('WA-07 DEC-30d a credential that was not offered is rejected', async ({ open }) => {
    const app: App = open(withPasskeys({ webauthn: knowing(() => app.rows.users()) }))
    const ada = await register(app, 'ada@example.com', undefined, 'webauthn')
    const bob = await register(app, 'bob@example.com', undefined, 'webauthn')
    const { agent } = createPerson(app)
    const named = { email: 'ada@example.com' }
    const { options } = await askOptions(agent, named, 'webauthn')
    const answer = bob.device.get({ ...options, allowCredentials: undefined })
    expectError(
      await postAnswer(agent, 'authenticate', answer, { provider: 'webauthn' }),
      'WebAuthnVerificationError',
    )
    expect(app.ended()).toBe('unproven')
    expect(app.errors.at(-1)?.message).toMatch(/offered/)
    await perform({ agent, device: ada.device }, { fields: named, provider: 'webauthn' })
    expect(app.ended()).toBe('signedIn')
  }),

  scenario(
    'WA-02 WA-07 DEC-30c a challenge issued to one user is rejected from another',
    async ({ open }) => {
      const app: App = open(withPasskeys({ webauthn: knowing(() => app.rows.users()) }))
      await register(app)
      const bob = await register(app, 'bob@example.com')
      const { agent } = createPerson(app)
      const named = (email: string) => perform({ agent, device: bob.device }, { fields: { email } })
      expectError(await named('ada@example.com'), 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
      expect(app.errors.at(-1)?.message).toMatch(/another user than the challenge/)
      expect(await sessionOf(agent)).toBeNull()
      await named('bob@example.com')
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario(
    'WIR-044 AL-05 a signed-in user does not become the owner of another user’s passkey',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const app = open(withPasskeys({ strategy }))
        const ada = await register(app)
        const { agent } = createPerson(app)
        app.idp.choose('bob')
        await signIn(app, agent)
        app.events.length = 0
        const response = await perform({ agent, device: ada.device }, { fields: { action: 'authenticate' } })
        expectError(response, 'AccountNotLinked', '/auth/signin')
        expect(app.ended()).toBe('notLinked')
        expect(app.events).toEqual([])
        expect(app.rows.accounts()).toHaveLength(2)
        expect(await sessionOf(agent)).toMatchObject({ user: { email: 'bob@example.com' } })
      }
    },
  ),

  scenario('WA-07 a user handle of another user is rejected', async ({ open }) => {
    const app = open(withPasskeys())
    const handles: string[] = []
    const devices = []
    for (const name of ['ada', 'bob']) {
      const { agent } = await register(app, `${name}@example.com`)
      const device = openAuthenticator(origin)
      await perform({ agent, device }, { fields: { action: 'register' } })
      handles.push(device.held[0]?.userHandle ?? '')
      devices.push(device)
    }
    const [device] = devices
    const [own = '', other = ''] = handles
    if (!device) throw new Error('there is no device')
    expectError(
      await perform(createPerson(app, device), { faults: { userHandle: other } }),
      'WebAuthnVerificationError',
    )
    expect(app.ended()).toBe('unproven')
    for (const userHandle of [own, '']) {
      await perform(createPerson(app, device), { faults: { userHandle } })
      expect(app.ended()).toBe('signedIn')
    }
  }),

  ...clients.flatMap((registers) =>
    clients.map((signsIn) =>
      scenario(
        `DEC-30h WA-07 a passkey registered by ${registers.name} signs in by ${signsIn.name}`,
        async ({ open }) => {
          const app = open(withPasskeys())
          const bob = await register(app, 'bob@example.com')
          const bobsNext = openAuthenticator(origin)
          await perform({ ...bob, device: bobsNext }, { fields: { action: 'register' } })
          const newcomer = await register(app)
          const next = openAuthenticator(origin)
          await perform({ ...newcomer, device: next }, { fields: { action: 'register' } })
          const answerOf = (device: Authenticator) => {
            const stored = registers.store(device.held[0]?.userHandle ?? '')
            expect(stored.length).toBeLessThanOrEqual(64)
            return { userHandle: signsIn.report(stored) }
          }
          for (const device of [newcomer.device, next]) {
            await perform(createPerson(app, device), { faults: answerOf(device) })
            expect(app.ended()).toBe('signedIn')
          }
          await perform(createPerson(app, next), { faults: answerOf(bobsNext) })
          // Decoded as UTF-8, random bytes identify nobody.
          const isLost = registers !== signsIn && signsIn.name.endsWith(' 9')
          expect(app.ended()).toBe(isLost ? 'signedIn' : 'unproven')
        },
      ),
    ),
  ),

  scenario(
    'WA-07 a credential whose account or user is missing or wrong signs nobody in',
    async ({ open }) => {
      const app = open(withPasskeys())
      const { device } = await register(app)
      await register(app, 'bob@example.com')
      const [account] = app.rows.accounts()
      const [ada, bob] = app.rows.users()
      if (!account || !ada || !bob) throw new Error('there are no rows')
      await app.store.unlinkAccount(account)
      expectError(await perform(createPerson(app, device)), 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
      await app.store.linkAccount({ ...account, userId: bob.id })
      expectError(await perform(createPerson(app, device)), 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
      await app.store.unlinkAccount(account)
      await app.store.linkAccount(account)
      await perform(createPerson(app, device))
      expect(app.ended()).toBe('signedIn')
      expectError(
        await perform(createPerson(app, device), { provider: 'webauthn' }),
        'WebAuthnVerificationError',
      )
      expect(app.ended()).toBe('unproven')
    },
  ),

  scenario('DEC-25a a challenge sealed with an older listed secret still opens', async ({ open }) => {
    const app = open(withPasskeys())
    const { agent, device } = await register(app)
    const { options } = await askOptions(agent, { action: 'authenticate' })
    const held = agent.cookies()[challengeCookie] ?? ''
    const { secret } = app.config
    const secrets = [
      'a newer test secret that is long enough',
      ...(typeof secret === 'string' ? [secret] : []),
    ]
    const rotated = open(
      withPasskeys({
        config: { experimental: { enableWebAuthn: true }, secret: secrets },
        wrap: () => app.store,
      }),
    )
    const { agent: same } = createPerson(rotated)
    plant(same, held, challengeCookie)
    await postAnswer(same, 'authenticate', device.get(options))
    expect(rotated.ended()).toBe('signedIn')
    expect(await authenticatorsOf(app)).toMatchObject([{ counter: 2 }])
    expect(await reveal(app, held, challengeCookie)).toMatchObject({ ceremony: 'authenticate' })
  }),
]
