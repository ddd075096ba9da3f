import { expect } from 'vitest'
import { origin } from '../../support/app.ts'
import { openAuthenticator, type Answer, type Faults } from '../../../fuzz/world/webauthn/authenticator.ts'
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
import { unreachable } from '../../support/watch-store.ts'
import type { WebAuthnUserConfig } from '../../../src/types/provider.ts'
import type { Stage } from '../scenario.ts'
import { scenario } from '../scenario.ts'
import { cookiesOf, expectError, expectNotSignedIn, setsCookie, sessionCookie } from '../expectations.ts'

const newcomer = { action: 'register', email: 'ada@example.com' }
const text = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url')

/** Both ceremonies reject responses with this fault, and sign nobody in. */
async function refuseBoth(open: Stage['open'], faults: Faults, webauthn?: WebAuthnUserConfig): Promise<void> {
  const app = open(withPasskeys({ webauthn }))
  const stranger = createPerson(app)
  const registered = await perform(stranger, { fields: newcomer, faults })
  expectError(registered, 'WebAuthnVerificationError')
  expect([app.ended(), app.errors.at(-1)?.message]).toEqual([
    'unproven',
    'The registration could not be verified',
  ])
  expect(cookiesOf(registered).get(challengeCookie)).toMatch(/Max-Age=0/)
  await expectNotSignedIn(app, stranger.agent)

  const { device } = await register(app)
  app.events.length = 0
  const person = createPerson(app, device)
  expectError(await perform(person, { faults }), 'WebAuthnVerificationError')
  expect([app.ended(), app.errors.at(-1)?.message]).toEqual([
    'unproven',
    'The response of the authenticator could not be verified',
  ])
  expect(await authenticatorsOf(app)).toMatchObject([{ counter: 1 }])
  expect(app.rows.sessions()).toHaveLength(1)
  expect(app.events).toEqual([])
  await perform(person)
  expect(app.ended()).toBe('signedIn')
}

/** Responses with one change. */
function changedAnswers(answer: Answer): [what: string, data: string][] {
  const json = (changed: object) => JSON.stringify({ ...answer, ...changed })
  const inner = (changed: object) => json({ response: { ...answer.response, ...changed } })
  const texts = Object.entries(answer.response).filter(([, value]) => typeof value === 'string')
  return [
    ['nothing', ''],
    ['invalid JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no id', json({ id: undefined })],
    ['an id that is a number', json({ id: 1, rawId: 1 })],
    ['an id in base64', json({ id: 'ab+/', rawId: 'ab+/' })],
    ['a wrong rawId', json({ rawId: 'AAAA' })],
    ['a wrong type', json({ type: 'password' })],
    ['no response', json({ response: null })],
    ['a response that is a list', json({ response: [] })],
    ['client data that are not JSON', inner({ clientDataJSON: text('{') })],
    ['client data that are not an object', inner({ clientDataJSON: text('null') })],
    ['client data that are not UTF-8', inner({ clientDataJSON: text(Uint8Array.of(0xff)) })],
    ['empty client data', inner({ clientDataJSON: text('{}') })],
    ...texts.flatMap(([name, value]): [string, string][] => [
      [`${name} that is a number`, inner({ [name]: 1 })],
      [`${name} that is not base64url`, inner({ [name]: '*' })],
      [`${name} that is too short`, inner({ [name]: text('x') })],
      [`${name} that is truncated`, inner({ [name]: String(value).slice(0, 60) })],
      ...(name === 'userHandle' ? [] : [[`no ${name}`, inner({ [name]: undefined })] as [string, string]]),
    ]),
  ]
}

/** A user handle is checked only if the library issued it. */
const harmless = new Set(
  ['is not base64url', 'is too short', 'is truncated'].map((fault) => `userHandle that ${fault}`),
)

/** Invalid CBOR, and CBOR that no authenticator returns. */
const attestations = [
  Uint8Array.of(),
  Uint8Array.of(0xff),
  Uint8Array.of(0xa1),
  Uint8Array.of(0xbf, 0xff),
  Uint8Array.of(0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
  new Uint8Array(5000).fill(0x81),
  Uint8Array.of(0xa3, 0x63, 0x66, 0x6d, 0x74, 0x64, 0x6e, 0x6f, 0x6e, 0x65),
]

/** Responses that prove nothing. */
export const webauthnAnswerScenarios = [
  scenario('WA-03 a response for another origin is rejected, however similar', async ({ open }) => {
    const others = [
      'https://evil.test',
      'http://app.test',
      'https://app.test:8443',
      'https://app.test.evil.test',
      'https://sub.app.test',
      'https://app.test/',
      'null',
      '',
    ]
    for (const other of others) await refuseBoth(open, { origin: other })
  }),

  scenario(
    'WA-03 a response for another site is rejected, including parent and child domains',
    async ({ open }) => {
      for (const rpId of ['evil.test', 'test', 'sub.app.test', 'APP.TEST']) await refuseBoth(open, { rpId })
    },
  ),

  scenario('WA-03 a ceremony in a cross-origin frame is rejected', async ({ open }) => {
    const topOrigin = 'https://frame.test'
    for (const faults of [{ crossOrigin: true }, { crossOrigin: true, topOrigin }, { topOrigin }])
      await refuseBoth(open, faults)
    const framed = { expectedTopOrigin: topOrigin }
    const webauthn = { verifyAuthenticationOptions: framed, verifyRegistrationOptions: framed }
    for (const faults of [{ crossOrigin: true }, { crossOrigin: true, topOrigin: 'https://other.test' }])
      await refuseBoth(open, faults, webauthn)
    const app = open(withPasskeys({ webauthn }))
    const person = createPerson(app)
    for (const fields of [newcomer, {}]) {
      await perform(person, { fields, faults: { crossOrigin: true, topOrigin } })
      expect(app.ended()).toBe('signedIn')
      person.agent.forget(sessionCookie)
    }
  }),

  scenario('WA-02 a response to another ceremony or challenge is rejected', async ({ open }) => {
    await refuseBoth(open, { type: 'payment.get' })
    await refuseBoth(open, { challenge: text(new Uint8Array(32)) })
  }),

  scenario('WA-04 user presence is always required, whatever the configuration', async ({ open }) => {
    await refuseBoth(open, { userPresent: false })
    const lax = { advancedFIDOConfig: { userVerification: 'discouraged' }, requireUserPresence: false }
    await refuseBoth(
      open,
      { userPresent: false },
      { verifyAuthenticationOptions: lax, verifyRegistrationOptions: lax },
    )
  }),

  scenario(
    'WA-04 user verification is required if the options or the checks require it',
    async ({ open }) => {
      const faults = { userVerified: false }
      await refuseBoth(open, faults)
      const lax = { requireUserVerification: false }
      await refuseBoth(open, faults, { verifyAuthenticationOptions: lax, verifyRegistrationOptions: lax })

      const strict = { requireUserVerification: true }
      const app = open(
        withPasskeys({
          webauthn: { verifyAuthenticationOptions: strict, verifyRegistrationOptions: strict },
        }),
      )
      const person = createPerson(app)
      await perform(person, { fields: newcomer, faults, provider: 'webauthn' })
      expect(app.ended()).toBe('unproven')
      const { device } = await register(app)
      await perform(createPerson(app, device), {
        fields: { action: 'authenticate' },
        faults,
        provider: 'webauthn',
      })
      expect(app.ended()).toBe('unproven')
    },
  ),

  scenario(
    'WA-04 a security key without a PIN signs in where the options only prefer one',
    async ({ open }) => {
      const faults = { userVerified: false }
      const app = open(withPasskeys())
      const person = createPerson(app)
      for (const fields of [newcomer, { action: 'authenticate' }]) {
        await perform(person, { fields, faults, provider: 'webauthn' })
        expect(app.ended()).toBe('signedIn')
        person.agent.forget(sessionCookie)
      }
    },
  ),

  scenario('WA-14 a sign-in stores whether the passkey is backed up now', async ({ open }) => {
    const app = open(withPasskeys())
    const { device } = await register(app)
    for (const backedUp of [true, false, true]) {
      await perform(createPerson(app, device), { faults: { backedUp } })
      expect(app.ended()).toBe('signedIn')
      expect(await authenticatorsOf(app)).toMatchObject([{ credentialBackedUp: backedUp }])
    }
  }),

  scenario('WA-15 each named origin is accepted, and no other', async ({ open }) => {
    const android = 'android:apk-key-hash:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const named = [origin, android]
    const parties: WebAuthnUserConfig[] = [
      { relayingParty: { origin: named } },
      { getRelayingParty: () => ({ id: new URL(origin).hostname, name: 'Example', origin: named }) },
    ]
    for (const webauthn of parties) {
      const app = open(withPasskeys({ webauthn }))
      const { device } = await register(app)
      for (const other of named) {
        await perform(createPerson(app, device), { faults: { origin: other } })
        expect(app.ended()).toBe('signedIn')
      }
      const refused = await perform(createPerson(app, device), { faults: { origin: `${android}A` } })
      expectError(refused, 'WebAuthnVerificationError')
    }
  }),

  scenario('WA-05 a cloned authenticator is detected, and signs nobody in', async ({ open }) => {
    const app = open(withPasskeys())
    const { device } = await register(app)
    const copy = device.clone()
    for (let time = 0; time < 2; time++) await perform(createPerson(app, device))
    expect(await authenticatorsOf(app)).toMatchObject([{ counter: 3 }])
    app.events.length = 0
    for (const counter of [2, 3, 0]) {
      const response = await perform(createPerson(app, copy), { faults: { counter } })
      expectError(response, 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
      expect(app.errors.at(-1)?.message).toMatch(/counter/)
    }
    expect(await authenticatorsOf(app)).toMatchObject([{ counter: 3 }])
    expect(app.rows.sessions()).toHaveLength(3)
    expect(app.events).toEqual([])
    await perform(createPerson(app, device))
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('WA-05 FI-01 a sign-in fails if the counter could not be stored', async ({ open }) => {
    const answers = [unreachable, () => null, () => undefined, () => ({}), () => ({ counter: 2 })]
    for (const answer of answers) {
      const fault = breakable('updateAuthenticatorCounter', answer)
      const app = open(withPasskeys({ wrap: fault.wrap }))
      const { device } = await register(app)
      fault.arm()
      app.events.length = 0
      expectError(await perform(createPerson(app, device)), 'Configuration')
      expect(app.ended()).toBe('faulted')
      expect(app.errors.at(-1)?.name).toBe('AdapterError')
      expect(app.rows.sessions()).toHaveLength(1)
      expect(app.events).toEqual([])
    }
  }),

  scenario('WA-07 a response whose key or id differs from the credential’s is rejected', async ({ open }) => {
    const app = open(withPasskeys())
    const { device } = await register(app)
    const stranger = openAuthenticator(origin)
    stranger.create({ challenge: 'AAAA', rp: { id: 'app.test' } })
    const cases: [typeof device, Faults, RegExp][] = [
      [stranger, {}, /unknown/],
      [stranger, { id: device.held[0]?.id }, /could not be verified/],
      [device, { id: stranger.held[0]?.id }, /unknown/],
      [device, { signature: new Uint8Array(70) }, /could not be verified/],
    ]
    for (const [used, faults, message] of cases) {
      expectError(await perform(createPerson(app, used), { faults }), 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
      expect(app.errors.at(-1)?.message).toMatch(message)
    }
    expect(await authenticatorsOf(app)).toMatchObject([{ counter: 1 }])
  }),

  scenario('WA-12 TX-18 an invalid authenticator response ends on the error page', async ({ open }) => {
    const app = open(withPasskeys())
    const { device } = await register(app)
    app.events.length = 0
    const agent = app.agent()
    let cases = 0
    for (const action of ['register', 'authenticate'] as const) {
      const fields = { action, email: 'eve@example.com' }
      const { options } = await askOptions(agent, fields)
      const whole = action === 'register' ? openAuthenticator(origin).create(options) : device.get(options)
      const broken = changedAnswers(whole).filter(([what]) => !harmless.has(what))
      const forged = attestations.map((bytes): [string, string] => [
        'CBOR',
        JSON.stringify({ ...whole, response: { ...whole.response, attestationObject: text(bytes) } }),
      ])
      for (const [what, data] of action === 'register' ? [...broken, ...forged] : broken) {
        cases += 1
        await askOptions(agent, fields)
        const response = await postAnswer(agent, action, data)
        expect([what, response.status, app.ended()]).toEqual([what, 302, 'unproven'])
        expectError(response, 'WebAuthnVerificationError')
      }
      for (const other of ['', 'Register', 'sign-in', action === 'register' ? 'authenticate' : 'register']) {
        await askOptions(agent, fields)
        await postAnswer(agent, other, whole)
        expect(app.ended()).toBe('unproven')
      }
    }
    expect(cases).toBeGreaterThan(60)
    expect(app.rows.users()).toHaveLength(1)
    expect(app.rows.accounts()).toHaveLength(1)
    expect(await authenticatorsOf(app)).toHaveLength(1)
    expect(app.events).toEqual([])
  }),

  scenario('WA-12 DEC-08 a duplicate or missing response is rejected', async ({ open }) => {
    const app = open(withPasskeys())
    const { device } = await register(app)
    const agent = app.agent()
    for (const repeated of ['action', 'data', 'neither']) {
      const { options } = await askOptions(agent)
      const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
      const form = new URLSearchParams({ csrfToken })
      if (repeated !== 'neither') {
        form.set('action', 'authenticate')
        form.set('data', JSON.stringify(device.get(options)))
        form.append(repeated, form.get(repeated) ?? '')
      }
      expectError(await agent.send('/auth/callback/passkey', { form }), 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
      expect(app.errors.at(-1)?.message).toBe('The form contains no response of an authenticator')
    }
  }),

  scenario('REC-038 WA-12 invalid transports are dropped', async ({ open }) => {
    const app = open(withPasskeys())
    const { agent, device } = createPerson(app)
    const { options } = await askOptions(agent, newcomer)
    const answer = device.create(options)
    answer.response.transports = ['usb', 1, 'a,b', 'NFC', '', 'x'.repeat(50), null]
    await postAnswer(agent, 'register', answer)
    expect(app.ended()).toBe('signedIn')
    expect(await authenticatorsOf(app)).toMatchObject([{ transports: 'usb' }])
  }),

  scenario('FI-03 a corrupt stored authenticator signs nobody in', async ({ open }) => {
    const rows: ((row: object) => unknown)[] = [
      (row) => ({ ...row, counter: '1' }),
      (row) => ({ ...row, counter: -1 }),
      (row) => ({ ...row, userId: undefined }),
      (row) => ({ ...row, providerAccountId: '' }),
      (row) => ({ ...row, credentialPublicKey: '****' }),
      () => 'garbage',
    ]
    for (const garble of rows) {
      const app = open(
        withPasskeys({
          wrap: (store) => ({
            ...store,
            getAuthenticator: (id) => {
              const row = store.getAuthenticator?.(id) as object | null
              return (row && garble(row)) as never
            },
          }),
        }),
      )
      const { device } = await register(app)
      const response = await perform(createPerson(app, device))
      expectError(response, 'Configuration')
      expect(app.ended()).toBe('faulted')
      expect(setsCookie(response, sessionCookie)).toBe(false)
    }
  }),

  scenario('WA-07 FI-03 a row for a credential other than the requested one is ignored', async ({ open }) => {
    const other = breakable('getAuthenticator', () => ({
      credentialID: 'AAAA',
      credentialPublicKey: 'AAAA',
      providerAccountId: 'AAAA',
      userId: 'u',
      counter: 0,
    }))
    const app = open(withPasskeys({ wrap: other.wrap }))
    const { device } = await register(app)
    other.arm()
    expectError(await perform(createPerson(app, device)), 'WebAuthnVerificationError')
    expect(app.ended()).toBe('unproven')
    expect(app.errors.at(-1)?.message).toBe('The credential is unknown')
  }),
]
