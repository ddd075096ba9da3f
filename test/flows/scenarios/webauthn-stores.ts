import { expect } from 'vitest'
import { sessionOf } from '../../support/app.ts'
import { countOf, unreachable, watching, type Call } from '../../support/watch-store.ts'
import {
  authenticatorsOf,
  breakable,
  challengeCookie,
  perform,
  register,
  createPerson,
  withPasskeys,
} from '../../support/webauthn/app.ts'
import { scenario } from '../scenario.ts'
import { cookiesOf, expectError, expectNotSignedIn, sessionCookie, setsCookie } from '../expectations.ts'

const newcomer = { action: 'register', email: 'ada@example.com' }
const rejected = () => Promise.reject(new Error('the store cannot be reached'))

/** Ceremonies when the store of authenticators fails or is empty. */
export const webauthnStoreScenarios = [
  scenario('ERR-013 an authenticator that could not be stored signs nobody in', async ({ open }) => {
    for (const fail of [unreachable, rejected]) {
      const fault = breakable('createAuthenticator', fail)
      const app = open(withPasskeys({ wrap: fault.wrap }))
      fault.arm()
      const person = createPerson(app)
      expectError(await perform(person, { fields: newcomer }), 'Configuration')
      expect(app.ended()).toBe('faulted')
      expect(app.errors.at(-1)).toMatchObject({
        name: 'AdapterError',
        message: "The adapter's createAuthenticator failed",
        cause: { err: { message: 'the store cannot be reached' } },
      })
      await expectNotSignedIn(app, person.agent)
    }
  }),

  scenario('ERR-013 a counter that could not be stored stops the sign-in', async ({ open }) => {
    for (const fail of [unreachable, rejected]) {
      const calls: Call[] = []
      const fault = breakable('updateAuthenticatorCounter', fail)
      const app = open(withPasskeys({ wrap: (store) => fault.wrap(watching(calls)(store)) }))
      const { device } = await register(app)
      fault.arm()
      calls.length = 0
      app.events.length = 0
      const person = createPerson(app, device)
      expectError(await perform(person), 'Configuration')
      expect(app.ended()).toBe('faulted')
      expect(app.errors.at(-1)).toMatchObject({
        name: 'AdapterError',
        message: "The adapter's updateAuthenticatorCounter failed",
      })
      // The next steps would be the owner of the credential, and a session.
      expect([countOf(calls, 'getUserByAccount'), countOf(calls, 'createSession')]).toEqual([0, 0])
      expect(app.events).toEqual([])
      expect(await sessionOf(person.agent)).toBeNull()
    }
  }),

  scenario('ERR-013 no challenge is issued if the authenticators cannot be listed', async ({ open }) => {
    for (const fail of [unreachable, rejected]) {
      const fault = breakable('listAuthenticatorsByUserId', fail)
      const app = open(withPasskeys({ wrap: fault.wrap }))
      const { agent } = await register(app)
      fault.arm()
      for (const action of ['register', 'authenticate']) {
        agent.forget(challengeCookie)
        const response = await agent.send(`/auth/webauthn-options/passkey?action=${action}`)
        expectError(response, 'Configuration')
        expect(app.ended()).toBe('faulted')
        expect(app.errors.at(-1)).toMatchObject({
          name: 'AdapterError',
          message: "The adapter's listAuthenticatorsByUserId failed",
        })
        expect(setsCookie(response, challengeCookie)).toBe(false)
      }
    }
  }),

  scenario('ERR-014 an authenticator that is not found is not a store error', async ({ open }) => {
    for (const nothing of [null, undefined]) {
      const blind = breakable('getAuthenticator', () => nothing)
      const app = open(withPasskeys({ wrap: blind.wrap }))
      // A registration expects no authenticator.
      blind.arm()
      const { device } = await register(app)
      expect(app.ended()).toBe('signedIn')
      expect(await authenticatorsOf(app)).toHaveLength(1)
      expect(app.errors).toEqual([])

      // A sign-in requires an authenticator.
      const person = createPerson(app, device)
      const response = await perform(person)
      expectError(response, 'WebAuthnVerificationError')
      expect(app.ended()).toBe('unproven')
      expect(app.errors).toMatchObject([
        { name: 'WebAuthnVerificationError', message: 'The credential is unknown' },
      ])
      expect(cookiesOf(response).get(challengeCookie)).toMatch(/Max-Age=0/)
      expect(setsCookie(response, sessionCookie)).toBe(false)
      expect(app.rows.sessions()).toHaveLength(1)
      expect(await sessionOf(person.agent)).toBeNull()
    }
  }),
]
