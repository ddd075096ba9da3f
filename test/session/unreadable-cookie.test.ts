import { describe, expect, it } from 'vitest'
import { openApp, secret, sessionOf, signIn, type App, type AppOptions } from '../support/app.ts'
import { heldSession, plant } from '../support/session-cookie.ts'
import { platform } from '../../src/types/symbols.ts'

const otherSecret = 'another secret of the tests that is long enough'
const warningsOf = ({ warnings }: App) => warnings.filter((code) => code === 'session-cookie-unreadable')

/** The warnings of an application for a browser with this session cookie. */
async function warnedOf(cookie: string | undefined, options: AppOptions = {}) {
  const app = openApp(options)
  const agent = app.agent()
  if (cookie !== undefined) plant(agent, cookie)
  expect(await sessionOf(agent)).toBeNull()
  return warningsOf(app)
}

/** The session cookie of an application with this configuration. */
async function sealedBy(options: AppOptions): Promise<string> {
  const app = openApp(options)
  const agent = app.agent()
  await signIn(app, agent)
  return heldSession(agent)
}

describe('an unreadable session cookie', () => {
  it('SEA-011 causes a warning, whatever is wrong with it', async () => {
    const foreign = await sealedBy({ config: { secret: otherSecret } })
    const aRow = await sealedBy({ strategy: 'database' })
    const forged = `${(await sealedBy({})).slice(0, -8)}AAAAAAAA`
    for (const cookie of [foreign, aRow, forged, 'garbage'])
      expect([cookie, await warnedOf(cookie)]).toEqual([cookie, ['session-cookie-unreadable']])
  })

  it('SEA-011 causes one warning a minute in each configuration', async () => {
    const app = openApp()
    // Integrations pass a copy of the configuration in each call.
    const warningsAfter = async (seconds: number, basePath = '/auth') => {
      app.clock.advance(seconds)
      const copy = openApp({ config: { ...app.config, basePath, [platform]: { now: app.clock.now } } })
      const agent = copy.agent()
      plant(agent, 'garbage')
      expect(await (await agent.send(`${basePath}/session`)).json()).toBeNull()
      return warningsOf(app).length
    }
    expect(await warningsAfter(0)).toBe(1)
    expect(await warningsAfter(59)).toBe(1)
    expect(await warningsAfter(0, '/other')).toBe(2)
    expect(await warningsAfter(1)).toBe(3)
    expect(await warningsAfter(58)).toBe(3)
    expect(await warningsAfter(0, '/other')).toBe(3)
    expect(await warningsAfter(1, '/other')).toBe(4)
    expect(await warningsAfter(1)).toBe(5)
  })

  it('SEA-011 causes a warning without the cookie or the secret', async () => {
    const received: unknown[][] = []
    const app = openApp({ config: { debug: false, logger: { warn: (...args) => void received.push(args) } } })
    const agent = app.agent()
    plant(agent, await sealedBy({ config: { secret: otherSecret } }))
    await sessionOf(agent)
    expect(received).toEqual([['session-cookie-unreadable']])
  })
})

describe('a session that ends normally', () => {
  it('SEA-011 causes no warning if it expired, or there is no cookie', async () => {
    const app = openApp({ config: { session: { maxAge: 10 } } })
    const agent = app.agent()
    await signIn(app, agent)
    const cookie = heldSession(agent)
    app.clock.advance(10)
    plant(agent, cookie)
    expect(await sessionOf(agent)).toBeNull()
    expect(warningsOf(app)).toEqual([])
    expect(await warnedOf(undefined)).toEqual([])
    expect(await warnedOf('')).toEqual([])
  })

  it('SEA-011 causes no warning if the store does not have it', async () => {
    expect(await warnedOf('garbage', { strategy: 'database' })).toEqual([])
  })

  it('SEA-011 causes no warning if the secret that sealed it is still listed', async () => {
    const cookie = await sealedBy({})
    const app = openApp({ config: { secret: [otherSecret, secret] } })
    const agent = app.agent()
    plant(agent, cookie)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(warningsOf(app)).toEqual([])
  })

  it('SEA-011 causes no warning if the application decodes tokens itself, or revoked this one', async () => {
    const cookie = await sealedBy({})
    expect(await warnedOf(cookie, { config: { jwt: { decode: () => null } } })).toEqual([])
    expect(await warnedOf(cookie, { config: { jwt: { isRevoked: () => true } } })).toEqual([])
  })
})
