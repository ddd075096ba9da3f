import { describe, expect, it } from 'vitest'
import { keyOf, sealAnyHeader } from '../../fuzz/properties/support/seal.ts'
import { decode, encode, getToken } from '../../src/jwt.ts'
import type { JWTOptions } from '../../src/types/jwt.ts'
import { openApp, origin, secret, sessionOf, type App } from '../support/app.ts'
import { plant, sessionCookie } from '../support/session-cookie.ts'

const day = 86_400
const start = Date.UTC(2030, 0, 1)

/** A session token in the format of older versions. */
async function seal(expires = start + 40 * day * 1000, name = 'Ada'): Promise<string> {
  expect(await keyOf(secret, sessionCookie, 32)).toHaveLength(32)
  const claims = { name, sub: 'ada', iat: start / 1000, exp: Math.floor(expires / 1000) }
  return sealAnyHeader(JSON.stringify(claims), secret, sessionCookie, { alg: 'dir', enc: 'A256GCM' })
}

function open(acceptLegacyTokens?: JWTOptions['acceptLegacyTokens'], received: unknown[][] = []) {
  const jwt = acceptLegacyTokens === undefined ? {} : { acceptLegacyTokens }
  return openApp({
    config: { secret, debug: false, jwt, logger: { warn: (...args) => void received.push(args) } },
  })
}

async function read(app: App, token: string) {
  const agent = app.agent()
  plant(agent, token)
  return sessionOf(agent)
}

describe('a session token of an older version', () => {
  it('OPT-022 opens by default, until a date, or never', async () => {
    const token = await seal()
    const ada = { user: { name: 'Ada' } }
    expect(await read(open(), token)).toMatchObject(ada)
    expect(await read(open(true), token)).toMatchObject(ada)
    expect(await read(open(false), token)).toBeNull()
    const app = open(new Date(start + 10_000))
    app.clock.advance(9)
    expect(await read(app, token)).toMatchObject(ada)
    app.clock.advance(1)
    expect(await read(app, token)).toBeNull()
  })

  it('OPT-022 is replaced by a current one on first use', async () => {
    const app = open(new Date(start + 10_000))
    const agent = app.agent()
    plant(agent, await seal())
    await sessionOf(agent)
    app.clock.advance(20)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  })

  it('OPT-022 opens with getToken and decode as the parameter says', async () => {
    const token = await seal(Date.now() + 1_000_000)
    const req = new Request(origin, { headers: { cookie: `${sessionCookie}=${token}` } })
    const current = await encode({ token: { name: 'Ada' }, secret, salt: sessionCookie })
    const ways: readonly [boolean | Date | undefined, boolean][] = [
      [undefined, true],
      [true, true],
      [false, false],
      [new Date(Date.now() + 100_000), true],
      [new Date(Date.now() - 1), false],
    ]
    for (const [accept, opens] of ways) {
      const option = accept === undefined ? {} : { acceptLegacyTokens: accept }
      const claims = opens ? expect.objectContaining({ name: 'Ada' }) : null
      expect(await getToken({ req, secret, secureCookie: true, ...option })).toEqual(claims)
      expect(await decode({ token, secret, salt: sessionCookie, ...option })).toEqual(claims)
      expect(await decode({ token: current, secret, salt: sessionCookie, ...option })).toMatchObject({
        name: 'Ada',
      })
    }
  })
})

describe('a parameter acceptLegacyTokens', () => {
  it('OPT-022 that is not a valid date makes getToken and decode reject', async () => {
    const token = await seal(Date.now() + 1_000_000)
    const req = new Request(origin, { headers: { cookie: `${sessionCookie}=${token}` } })
    for (const accept of [new Date('soon'), null, '2030-01-01', 0]) {
      const options = { secret, acceptLegacyTokens: accept as never }
      const problem = '`acceptLegacyTokens` must be true, false or a valid Date'
      await expect(decode({ token, salt: sessionCookie, ...options })).rejects.toThrow(problem)
      await expect(getToken({ req, secureCookie: true, ...options })).rejects.toThrow(problem)
    }
  })
})

describe('the log', () => {
  it('OPT-023 has one warning a minute about tokens of older versions, with the day on which the last one expires', async () => {
    const received: unknown[][] = []
    const app = open(undefined, received)
    // A warning with another code, which must not suppress this one.
    await read(app, 'garbage')
    const token = await seal(start + 7 * day * 1000)
    const after = async (seconds: number) => {
      app.clock.advance(seconds)
      await read(app, token)
      return received.filter(([code]) => code === 'legacy-token').length
    }
    expect(await after(0)).toBe(1)
    expect(await after(59)).toBe(1)
    expect(await after(1)).toBe(2)
    const [, first] = received.filter(([code]) => code === 'legacy-token')
    // Thirty days and a minute after the first of January.
    expect(first?.[1]).toContain("set `jwt.acceptLegacyTokens` to `new Date('2030-02-01')`")
    app.clock.advance(60)
    await read(app, await seal(start + 60 * day * 1000))
    expect(received.at(-1)?.[1]).toContain('none is valid after 2030-03-02')
    app.clock.advance(60)
    await read(app, await seal(1e300))
    expect(received.at(-1)?.[1]).toContain('none is valid after 21')
  })

  it('OPT-023 has no warning if a date is set, or about other tokens', async () => {
    const received: unknown[][] = []
    await read(open(new Date(start + 10_000), received), await seal())
    const app = open(undefined, received)
    const claims = { token: { name: 'Ada' }, secret, salt: sessionCookie, maxAge: 100 * 365 * day }
    await read(app, await encode(claims))
    expect(received).toEqual([])
  })
})
