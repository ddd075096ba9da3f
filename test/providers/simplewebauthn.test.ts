import { describe, expect, it } from 'vitest'
import * as server10 from 'simplewebauthn-10'
import * as server11 from 'simplewebauthn-11'
import * as server14 from '@simplewebauthn/server'
import * as server9 from 'simplewebauthn-9'
import { openApp, sessionOf } from '../support/app.ts'
import {
  askOptions,
  authenticatorsOf,
  perform,
  postAnswer,
  register,
  createPerson,
  withPasskeys,
} from '../support/webauthn/app.ts'

/** One version for each shape of its API, and both ends of the range in package.json. */
describe.each([
  ['9', server9],
  ['10', server10],
  ['11', server11],
  ['14', server14],
])('DEC-30a @simplewebauthn/server %s', (_, simpleWebAuthn) => {
  const open = () => openApp(withPasskeys({ webauthn: { simpleWebAuthn } }))

  it('registers a passkey with a user handle that every client decodes to the same bytes', async () => {
    const app = open()
    const person = createPerson(app)
    const { action, options } = await askOptions(person.agent, {
      action: 'register',
      email: 'ada@example.com',
    })
    expect(action).toBe('register')
    expect(options.challenge).toMatch(/^[\w-]{43}$/)
    expect(options.user?.id).toMatch(/^[\w-]+$/)
    const response = await postAnswer(person.agent, 'register', person.device.create(options))
    expect(response.status).toBe(302)
    const [held] = person.device.held
    expect(await authenticatorsOf(app)).toMatchObject([
      {
        credentialID: Buffer.from(held?.id ?? '', 'base64url').toString('base64'),
        counter: 1,
        credentialDeviceType: 'singleDevice',
        credentialBackedUp: false,
        transports: 'internal,hybrid',
      },
    ])
    expect(await sessionOf(person.agent)).toMatchObject({ user: { name: 'ada@example.com' } })
  })

  it('signs in with it, and advances its counter', async () => {
    const app = open()
    const { device } = await register(app)
    const person = createPerson(app, device)
    const { options } = await askOptions(person.agent)
    expect((await postAnswer(person.agent, 'authenticate', device.get(options))).status).toBe(302)
    expect(await sessionOf(person.agent)).toMatchObject({ user: { name: 'ada@example.com' } })
    expect(await authenticatorsOf(app)).toMatchObject([{ counter: 2 }])
  })

  it('names the credentials of the user, to exclude them from registration and to sign in with them', async () => {
    const app = open()
    const { agent, device } = await register(app)
    const held = [{ id: device.held[0]?.id, type: 'public-key', transports: ['internal', 'hybrid'] }]
    const registering = await askOptions(agent, { action: 'register' })
    expect(registering.options.excludeCredentials).toEqual(held)
    const signingIn = await askOptions(agent, { action: 'authenticate' })
    expect(signingIn.options.allowCredentials).toEqual(held)
  })

  it.each([
    ['register', { origin: 'https://evil.test' }],
    ['register', { challenge: 'c29tZXRoaW5nIGVsc2U' }],
    ['register', { userVerified: false }],
    ['register', { userPresent: false }],
    ['authenticate', { origin: 'https://evil.test' }],
    ['authenticate', { challenge: 'c29tZXRoaW5nIGVsc2U' }],
    ['authenticate', { userVerified: false }],
    ['authenticate', { userPresent: false }],
    ['authenticate', { signature: new Uint8Array(70) }],
  ] as const)('rejects %s with %o', async (action, faults) => {
    const app = open()
    const device = action === 'authenticate' ? (await register(app)).device : undefined
    const person = createPerson(app, device)
    await perform(person, { fields: { action, email: 'ada@example.com' }, faults })
    expect(await sessionOf(person.agent)).toBeNull()
    expect(app.rows.users()).toHaveLength(action === 'authenticate' ? 1 : 0)
  })
})
