import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../src/config/derive-settings.ts'
import { getToken } from '../../src/jwt.ts'
import { platform } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { oauthProvider, oidcProvider, secret } from '../config/derive.ts'
import { openApp, origin, sessionOf, signIn } from '../support/app.ts'
import { heldSession, sessionCookie } from '../support/session-cookie.ts'

describe('the audience of session tokens', () => {
  it('OPT-020 JW-06 separates the sessions of two configurations with one secret', async () => {
    const open = (audience?: string) => openApp({ config: { jwt: { audience } } })
    const [shop, admin, none] = [open('shop'), open('admin'), open()]
    const agent = shop.agent()
    await signIn(shop, agent)
    const token = heldSession(agent)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    const read = async (app: typeof shop, held: string) => {
      const other = app.agent()
      other.set(`${sessionCookie}=${held}; Path=/; Secure`)
      return sessionOf(other)
    }
    expect(await read(admin, token)).toBeNull()
    expect(await read(shop, token)).toMatchObject({ user: { name: 'Ada' } })
    const plain = none.agent()
    await signIn(none, plain)
    expect(await read(shop, heldSession(plain))).toBeNull()
    // A session read reseals the token with the audience.
    expect(await read(admin, heldSession(agent))).toBeNull()
  })

  it('OPT-020 is required by getToken if it receives one', async () => {
    const app = openApp({ config: { jwt: { audience: 'shop' } } })
    const agent = app.agent()
    await signIn(app, agent)
    const req = new Request(origin, { headers: { cookie: `${sessionCookie}=${heldSession(agent)}` } })
    const ask = (audience?: string) =>
      getToken({ req, secret, secureCookie: true, ...(audience !== undefined && { audience }) })
    // A secret other than the application's.
    expect(await ask('shop')).toBeNull()
    const own = { req, secret: app.config.secret ?? '', secureCookie: true }
    expect(await getToken(own)).toMatchObject({ name: 'Ada', aud: 'shop' })
    expect(await getToken({ ...own, audience: 'shop' })).toMatchObject({ name: 'Ada' })
    expect(await getToken({ ...own, audience: 'admin' })).toBeNull()
  })
})

describe('two configurations in one process', () => {
  const other = { ...oauthProvider, clientId: 'another client' }

  /** The number of warnings for configurations that are used one after the other. */
  function warningsOf(configs: readonly Partial<AuthConfig>[]): number {
    const received: string[] = []
    const clock = { now: () => 0 }
    for (const config of configs)
      settingsOf({
        providers: [{ ...oauthProvider }],
        secret,
        trustHost: true,
        logger: { warn: (code: string) => void received.push(code) },
        [platform]: clock,
        ...config,
      })
    return received.filter((code) => code === 'shared-session-secret').length
  }

  it('OPT-021 cause one warning if they share secret and cookie name', () => {
    expect(warningsOf([{}, { providers: [other] }, {}, { providers: [other] }])).toBe(1)
    expect(warningsOf([{}, { basePath: '/admin', providers: [oidcProvider] }])).toBe(1)
    expect(warningsOf([{ secret: [secret, 'old'] }, { secret: ['new', secret], providers: [other] }])).toBe(1)
    const audience = { jwt: { audience: 'one' } }
    expect(warningsOf([audience, { ...audience, providers: [other] }])).toBe(1)
  })

  it('OPT-021 cause no warning if they are copies, or separated', () => {
    expect(warningsOf([{}, {}, {}])).toBe(0)
    // An integration sets the path after the first use.
    expect(warningsOf([{}, { basePath: '/api/auth' }])).toBe(0)
    // A list that depends on the request.
    expect(
      warningsOf([{}, { providers: [oauthProvider, oidcProvider] }, { providers: [oidcProvider] }]),
    ).toBe(0)
    const providers = [other]
    expect(warningsOf([{}, { providers, secret: `${secret} of another` }])).toBe(0)
    expect(warningsOf([{}, { providers, cookies: { sessionToken: { name: 'other' } } }])).toBe(0)
    expect(warningsOf([{ jwt: { audience: 'a' } }, { providers, jwt: { audience: 'b' } }])).toBe(0)
  })

  it('OPT-021 are remembered up to a limit', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ secret: `${secret} number ${index}` }))
    expect(warningsOf(many)).toBe(0)
    expect(warningsOf([...many, { providers: [other], secret: `${secret} number 499` }])).toBe(1)
  })
})
