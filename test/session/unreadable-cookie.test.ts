import { describe, expect, it } from 'vitest'
import { openApp, secret, sessionOf, signIn, type App, type AppOptions } from '../support/app.ts'
import { heldSession, plant } from '../support/session-cookie.ts'
import { platform } from '../../src/symbols.ts'

const otherSecret = 'another secret of the tests, also long'
const warningsOf = ({ warnings }: App) => warnings.filter((code) => code === 'session-cookie-unreadable')

/** What an application warns of whose browser holds this session cookie. */
async function warnedOf(cookie: string | undefined, options: AppOptions = {}) {
  const app = openApp(options)
  const agent = app.agent()
  if (cookie !== undefined) plant(agent, cookie)
  expect(await sessionOf(agent)).toBeNull()
  return warningsOf(app)
}

/** A session cookie that an application of this configuration makes. */
async function sealedBy(options: AppOptions): Promise<string> {
  const app = openApp(options)
  const agent = app.agent()
  await signIn(app, agent)
  return heldSession(agent)
}

describe('a session cookie that does not open', () => {
  it('SEA-011 is warned of, whatever is wrong with it', async () => {
    const foreign = await sealedBy({ config: { secret: otherSecret } })
    const aRow = await sealedBy({ strategy: 'database' })
    const forged = `${(await sealedBy({})).slice(0, -8)}AAAAAAAA`
    for (const cookie of [foreign, aRow, forged, 'garbage'])
      expect([cookie, await warnedOf(cookie)]).toEqual([cookie, ['session-cookie-unreadable']])
  })

  it('SEA-011 is warned of once a minute, in each configuration', async () => {
    const app = openApp()
    // Integrations hand over a copy of the configuration at each call.
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

  it('SEA-011 tells nothing of the cookie or the secret', async () => {
    const told: unknown[][] = []
    const app = openApp({ config: { debug: false, logger: { warn: (...args) => void told.push(args) } } })
    const agent = app.agent()
    plant(agent, await sealedBy({ config: { secret: otherSecret } }))
    await sessionOf(agent)
    expect(told).toEqual([['session-cookie-unreadable']])
  })
})

describe('a session that is over in the usual way', () => {
  it('SEA-011 is not warned of when it expired, or there is no cookie', async () => {
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

  it('SEA-011 is not warned of when the store does not have it', async () => {
    expect(await warnedOf('garbage', { strategy: 'database' })).toEqual([])
  })

  it('SEA-011 is not warned of when the secret that sealed it is still in the list', async () => {
    const cookie = await sealedBy({})
    const app = openApp({ config: { secret: [otherSecret, secret] } })
    const agent = app.agent()
    plant(agent, cookie)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(warningsOf(app)).toEqual([])
  })

  it('SEA-011 is not warned of when the application decodes tokens, or took this one back', async () => {
    const cookie = await sealedBy({})
    expect(await warnedOf(cookie, { config: { jwt: { decode: () => null } } })).toEqual([])
    expect(await warnedOf(cookie, { config: { jwt: { isRevoked: () => true } } })).toEqual([])
  })
})
