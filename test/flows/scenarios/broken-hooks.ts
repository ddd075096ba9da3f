import { expect } from 'vitest'
import type { EventCallbacks } from '../../../src/types/callbacks.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import {
  csrfOf,
  sessionOf,
  signIn,
  signOut,
  startSignIn,
  visitProvider,
  type App,
} from '../../support/app.ts'
import { isWaiting, soon, until } from '../../support/turns.ts'
import { expectError, expectNotSignedIn } from '../expectations.ts'
import { scenario } from '../scenario.ts'

const broken = () => {
  throw new Error('broken')
}
const rejecting = () => Promise.reject(new Error('broken'))
const events = ['createUser', 'linkAccount', 'signIn', 'session', 'signOut', 'updateUser'] as const

/** The observable results of a complete visit: statuses, redirects, names of cookies, and the session. */
async function visit(app: App): Promise<unknown[]> {
  const agent = app.agent()
  const seen: unknown[] = []
  const see = (response: Response) => {
    const location = response.headers.get('location')?.replace(/\?.*/, '')
    const cookies = response.headers.getSetCookie().map((line) => line.replace(/=.*/, ''))
    seen.push([response.status, location, cookies, app.ended()])
    return response
  }
  see(await startSignIn(agent))
  see(await signIn(app, agent))
  seen.push(await see(await agent.send('/auth/session')).json())
  const csrfToken = await csrfOf(agent)
  seen.push(await see(await agent.send('/auth/session', { json: { csrfToken, data: {} } })).json())
  see(await agent.send('/auth/signin/idp', { form: {} }))
  see(await signOut(agent))
  seen.push(await sessionOf(agent))
  return seen
}

/** Runs an action while a step hangs, and advances the clock by 30 seconds once it does. */
async function outlast(app: App, hanging: () => boolean, work: Promise<Response>): Promise<Response> {
  await until(hanging)
  app.clock.advance(29)
  expect(await isWaiting(work)).toBe(true)
  app.clock.advance(1)
  return soon(work)
}

export const brokenHookScenarios = [
  scenario(
    'FI-07 FI-09 events that throw change nothing that a browser sees, and are logged',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const good = await visit(open({ strategy }))
        for (const hook of [broken, rejecting]) {
          const app = open({
            strategy,
            config: { events: Object.fromEntries(events.map((name) => [name, hook])) },
          })
          expect(await visit(app)).toEqual(good)
          expect(app.ended()).toBe('anonymous')
          const logged = app.errors.filter(({ name }) => name === 'EventError')
          const fired =
            strategy === 'jwt'
              ? ['signIn', 'session', 'session', 'signOut']
              : ['createUser', 'linkAccount', 'signIn', 'session', 'session', 'signOut']
          expect(logged.map(({ cause }) => (cause as { event: keyof EventCallbacks }).event)).toEqual(fired)
          expect(logged[0]).toMatchObject({ message: 'broken', cause: { err: { message: 'broken' } } })
        }
      }
    },
  ),

  scenario('FI-07 a logger that throws, or lacks methods, changes nothing either', async ({ open }) => {
    const logger: AuthConfig['logger'] = { error: broken, warn: broken }
    const good = (await visit(open({ strategy: 'database' }))) as readonly unknown[]
    const app = open({ strategy: 'database', config: { logger } })
    expect(await visit(app)).toEqual(good)
    expect(app.errors).toEqual([])
    expect(app.ended()).toBe('anonymous')
    const silent = open({ strategy: 'database', config: { debug: false, logger: { debug: broken } } })
    const withoutEnds = (seen: readonly unknown[]) =>
      seen.map((each) => (Array.isArray(each) ? (each as unknown[]).slice(0, 3) : each))
    expect(withoutEnds(await visit(silent))).toEqual(withoutEnds(good))
  }),

  scenario(
    'DEC-34 FI-05 a signIn callback that never returns times out after 30 seconds with an error',
    async ({ open }) => {
      let asked = false
      const hang = () => {
        asked = true
        return new Promise<never>(() => undefined)
      }
      const app = open({ config: { callbacks: { signIn: hang } } })
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      const response = await outlast(app, () => asked, agent.send(`/auth/callback/idp?${parameters}`))
      expectError(response, 'Configuration')
      expect(app.ended()).toBe('faulted')
      expect(app.errors[0]).toMatchObject({
        name: 'CallbackRouteError',
        message: 'callSignIn took longer than 30000 milliseconds',
      })
      await expectNotSignedIn(app, agent)
    },
  ),

  scenario(
    'DEC-34 FI-05 a redirect callback that never returns times out too, and starts nothing',
    async ({ open }) => {
      let asked = false
      const hang = () => {
        asked = true
        return new Promise<never>(() => undefined)
      }
      const app = open({ config: { callbacks: { redirect: hang } } })
      const agent = app.agent()
      const csrfToken = await csrfOf(agent)
      const response = await outlast(
        app,
        () => asked,
        agent.send('/auth/signin/idp', { form: { csrfToken, callbackUrl: '/x' } }),
      )
      expectError(response, 'Configuration')
      expect(app.ended()).toBe('faulted')
      expect(app.idp.log).toEqual([])
    },
  ),
]
