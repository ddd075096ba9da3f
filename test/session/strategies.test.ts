import { describe, expect, it } from 'vitest'
import { openApp, sessionOf, signIn, type AppOptions } from '../support/app.ts'
import { heldSession, sentExpiry } from '../support/session-cookie.ts'
import type { SessionOptions } from '../../src/types/session-options.ts'

type Strategy = SessionOptions['strategy']

/** The content of the session cookie after a sign-in. */
async function cookieWith(stored: boolean, strategy: Strategy): Promise<'token' | 'id'> {
  const options: AppOptions = { strategy: stored ? 'database' : 'jwt', config: { session: { strategy } } }
  const app = openApp(options)
  const agent = app.agent()
  await signIn(app, agent)
  expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  return heldSession(agent).split('.').length === 5 ? 'token' : 'id'
}

describe('the strategy', () => {
  it('SES-001 is jwt by default', async () => {
    expect(await cookieWith(false, undefined)).toBe('token')
    expect(await cookieWith(false, 'jwt')).toBe('token')
  })

  it('SES-001 is jwt or database', async () => {
    for (const strategy of ['"cookie"', '"JWT"', '""', 'null', '7']) {
      const response = await openApp({ config: { session: { strategy: JSON.parse(strategy) } } })
        .agent()
        .send('/auth/session')
      // null counts as missing, like undefined.
      expect(response.status).toBe(strategy === 'null' ? 200 : 500)
    }
  })

  it('SES-002 is database with an adapter, and can be set to jwt', async () => {
    expect(await cookieWith(true, undefined)).toBe('id')
    expect(await cookieWith(true, 'database')).toBe('id')
    expect(await cookieWith(true, 'jwt')).toBe('token')
  })
})

describe('a maxAge', () => {
  const century = 100 * 365.25 * 86_400

  it('DEC-24d DEC-24e of a hundred years does not overflow 32-bit arithmetic', async () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const app = openApp({ strategy, config: { session: { maxAge: century } } })
      const [agent, idle] = [app.agent(), app.agent()]
      const end = app.clock.now() + century * 1000
      await signIn(app, idle)
      expect(sentExpiry(await signIn(app, agent))).toBe(end)
      expect(await sessionOf(agent)).toMatchObject({ expires: new Date(end).toISOString() })
      app.clock.advance(century - 1)
      expect(await sessionOf(agent)).not.toBeNull()
      app.clock.advance(1)
      expect(await sessionOf(idle)).toBeNull()
      expect(await sessionOf(agent)).not.toBeNull()
    }
  })

  it('DEC-24e is a positive finite number of at most a hundred years', async () => {
    const statusWith = async (maxAge: number, of: 'session' | 'jwt') => {
      const response = await openApp({ config: { [of]: { maxAge } } })
        .agent()
        .send('/auth/session')
      return response.status
    }
    for (const of of ['session', 'jwt'] as const) {
      for (const maxAge of [0, -1, Number.NaN, Infinity, -Infinity, century + 1, JSON.parse('"60"')])
        expect([maxAge, await statusWith(maxAge, of)]).toEqual([maxAge, 500])
      for (const maxAge of [1, 0.5, century])
        expect([maxAge, await statusWith(maxAge, of)]).toEqual([maxAge, 200])
    }
  })
})
