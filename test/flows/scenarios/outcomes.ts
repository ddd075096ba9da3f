import { expect } from 'vitest'
import { AuthError } from '../../../src/errors.ts'
import { signIn, visitProvider, type App, type AppOptions } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { scenario } from '../scenario.ts'
import { checkCookies, cookiesOf, expectError, expectNotSignedIn } from '../expectations.ts'

/** One way for a callback to end, and how to cause it. */
interface Ending {
  readonly state: string
  readonly options?: AppOptions
  readonly prepare?: (app: App, agent: Agent) => unknown
  readonly change?: (parameters: URLSearchParams) => void
  readonly location: string
}

const allChecks = { checks: ['pkce', 'nonce', 'state'] } satisfies AppOptions['provider']
const error = (name: string) => `https://app.test/auth/error?error=${name}`
const broken = () => {
  throw new Error('broken')
}

/** Every way in which a callback ends. */
const endings: readonly Ending[] = [
  { state: 'signedIn', location: 'https://app.test' },
  {
    state: 'sentElsewhere',
    options: { config: { callbacks: { signIn: () => '/elsewhere' } } },
    location: 'https://app.test/elsewhere',
  },
  {
    state: 'refused',
    change: (parameters) => parameters.set('state', 'another'),
    location: error('InvalidCheck'),
  },
  {
    state: 'refused',
    change: (parameters) => parameters.append('code', 'twice'),
    location: error('InvalidCheck'),
  },
  {
    state: 'refused',
    prepare: (_, agent) => agent.forget(checkCookies.state),
    location: error('InvalidCheck'),
  },
  {
    state: 'declined',
    options: { idp: { misbehave: ['access-denied'] } },
    location: 'https://app.test/auth/signin?error=OAuthCallbackError&code=access_denied',
  },
  {
    state: 'denied',
    options: { config: { callbacks: { signIn: () => false } } },
    location: error('AccessDenied'),
  },
  {
    state: 'denied',
    options: {
      config: { callbacks: { jwt: () => null }, session: { strategy: 'jwt' } },
      strategy: 'jwt-stored',
    },
    location: error('AccessDenied'),
  },
  {
    state: 'notLinked',
    prepare: ({ store }) => store.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null }),
    location: 'https://app.test/auth/signin?error=OAuthAccountNotLinked',
  },
  { state: 'failed', options: { idp: { misbehave: ['nonce-wrong'] } }, location: error('Configuration') },
  {
    state: 'faulted',
    options: { strategy: 'database', wrap: (store) => ({ ...store, getUserByAccount: broken }) },
    location: error('Configuration'),
  },
]

const heldChecks = (agent: Agent) =>
  Object.values(checkCookies).filter((name) => agent.cookies()[name] !== undefined)

/** The endings of a callback, and the state afterwards. */
export const outcomeScenarios = [
  scenario(
    'DEC-12a TX-03 WIR-008 WIR-022 the checks are cleared however a callback ends, and cannot be used again',
    async ({ open }) => {
      for (const { state, options, prepare, change, location } of endings) {
        const app = open({ strategy: 'database', ...options, provider: allChecks })
        const agent = app.agent()
        const { parameters } = await visitProvider(app, agent)
        await prepare?.(app, agent)
        const good = new URLSearchParams(parameters)
        change?.(parameters)
        const held = heldChecks(agent)
        const response = await agent.send(`/auth/callback/idp?${parameters}`)
        expect(app.ended()).toBe(state)
        expect(response.status).toBe(302)
        expect(response.headers.get('location')).toBe(location)
        for (const name of held)
          expect(cookiesOf(response).get(name), state).toMatch(/=; (?:Max-Age=0; )?Path=\/;/)
        expect(heldChecks(agent), state).toEqual([])
        const asked = app.idp.requestsTo('token').length
        await agent.send(`/auth/callback/idp?${good}`)
        expect(app.ended(), state).toBe('refused')
        expect(app.hops.at(-1)?.event).toBe('check.missing')
        expect(app.idp.requestsTo('token')).toHaveLength(asked)
      }
    },
  ),

  scenario(
    'CB-01 signIn accepts a user by returning true, and rejects with falsy results',
    async ({ open }) => {
      for (const answer of [false, undefined, null, 0, ''] as unknown as false[]) {
        for (const signInCallback of [() => answer, async () => answer]) {
          const app = open({ strategy: 'database', config: { callbacks: { signIn: signInCallback } } })
          const agent = app.agent()
          expectError(await signIn(app, agent), 'AccessDenied')
          expect(app.hops.at(-1)).toMatchObject({ state: 'admitting.callingSignIn', event: 'user.denied' })
          expect(app.ended()).toBe('denied')
          await expectNotSignedIn(app, agent)
        }
      }
      let isOpen = true
      const app = open({ strategy: 'database', config: { callbacks: { signIn: async () => isOpen } } })
      await signIn(app, app.agent())
      expect(app.ended()).toBe('signedIn')
      isOpen = false
      expectError(await signIn(app, app.agent()), 'AccessDenied')
      expect(app.hops.at(-2)?.event).toBe('owner.sought')
      expect(app.ended()).toBe('denied')
      expect(app.rows.sessions()).toHaveLength(1)
    },
  ),

  scenario('CB-01 FI-07 an exception in signIn is a rejection with its message', async ({ open }) => {
    const failing = async (thrown: unknown) => {
      const callbacks = {
        signIn: () => {
          throw thrown
        },
      }
      const app = open({ strategy: 'database', config: { callbacks } })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(app.ended()).toBe('denied')
      await expectNotSignedIn(app, agent)
      return [response.headers.get('location'), app.errors.at(-1)] as const
    }
    const [location, logged] = await failing(new Error('not on a Sunday'))
    expect(location).toBe(error('AccessDenied'))
    expect(logged).toMatchObject({ type: 'AccessDenied', message: 'not on a Sunday' })
    expect((await failing('a text'))[1]).toMatchObject({ type: 'AccessDenied', message: 'a text' })
    const own = new AuthError('ours')
    expect(await failing(own)).toEqual([error('Configuration'), own])
  }),

  scenario('CB-01 a string from signIn redirects the browser there, without a session', async ({ open }) => {
    const sentTo = async (answer: string) => {
      const app = open({ strategy: 'database', config: { callbacks: { signIn: async () => answer } } })
      const agent = app.agent()
      const response = await signIn(app, agent)
      expect(response.status).toBe(302)
      expect(app.hops.at(-1)).toMatchObject({ state: 'admitting.callingSignIn', event: 'sent.elsewhere' })
      expect(app.ended()).toBe('sentElsewhere')
      await expectNotSignedIn(app, agent)
      return response.headers.get('location')
    }
    expect(await sentTo('/terms?accept=1')).toBe('https://app.test/terms?accept=1')
    expect(await sentTo('https://elsewhere.test/a')).toBe('https://elsewhere.test/a')
    const app = open({ strategy: 'database', config: { callbacks: { signIn: () => 'http://[' } } })
    expectError(await signIn(app, app.agent()), 'AccessDenied')
    expect(app.ended()).toBe('denied')
  }),
]
