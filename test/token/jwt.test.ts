import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { JWTSessionError, MissingSecret } from '../../src/errors.ts'
import { decode, encode, getToken, type GetTokenParams, type JWT } from '../../src/jwt.ts'
import { spread } from '../support/spread.ts'
import { forge, salt } from './support.ts'

declare module '../../src/jwt.ts' {
  interface JWT {
    roleOfAugmentation?: 'admin'
  }
}

const secret = 'secret'
const now = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ now })
  for (const name of ['AUTH_SECRET', 'AUTH_SECRET_1', 'AUTH_URL', 'NEXTAUTH_URL']) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

describe('encode and decode', () => {
  it('TOK-004 TOK-007 TOK-016 TOK-018 WIR-028 return the payload with iat, exp and jti', async () => {
    const token = await encode({ token: { sub: 'user-1' }, secret, salt, maxAge: 60 })
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as object
    expect(Object.keys(header)).toEqual(['alg', 'enc', 'kid'])
    expect(header).toMatchObject({ alg: 'dir', enc: 'A256CBC-HS512' })
    expect(await decode({ token, secret: ['other', secret], salt })).toEqual({
      sub: 'user-1',
      iat: now / 1000,
      exp: now / 1000 + 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('TOK-004 TOK-006 LIM-003 default to an empty payload and 30 days', async () => {
    const payload = await decode({ token: await encode({ secret, salt }), secret, salt })
    expect(Object.keys(payload ?? {})).toEqual(['iat', 'exp', 'jti'])
    expect(payload?.exp).toBe(now / 1000 + 30 * 24 * 60 * 60)
  })

  it('WIR-029 JW-08 overwrite iat, exp and jti of the payload', async () => {
    const own = { iat: 1, exp: 2 ** 40, jti: 'mine' }
    const payload = await decode({
      token: await encode({ token: own, secret, salt, maxAge: 60 }),
      secret,
      salt,
    })
    expect(payload).toMatchObject({ iat: now / 1000, exp: now / 1000 + 60 })
    expect(payload?.jti).not.toBe('mine')
  })

  it.each([[['a']], ['text'], [7], [null]])('JW-08 reject a payload of %j', async (token) => {
    await expect(encode({ token: token as unknown as JWT, secret, salt })).rejects.toThrow(TypeError)
  })

  it('TOK-005 JW-05 SU-09 return null for a token of another salt or secret', async () => {
    const token = await encode({ secret, salt })
    expect(await decode({ token, secret, salt: `__Secure-${salt}` })).toBeNull()
    expect(await decode({ token, secret: 'other', salt })).toBeNull()
  })

  it('DEC-24b JW-04 tolerate 15 seconds, and no more, as getToken does', async () => {
    const token = await encode({ token: { nbf: now / 1000 }, secret, salt, maxAge: 60 })
    const both = async () => [
      await decode({ token, secret, salt }),
      await getToken({ req: bearer(token), secret }),
    ]
    vi.setSystemTime(now + 75_000 - 1)
    expect(await both()).toEqual([expect.objectContaining({}), expect.objectContaining({})])
    vi.setSystemTime(now + 75_000)
    expect(await both()).toEqual([null, null])
    vi.setSystemTime(now - 15_000)
    expect(await both()).toEqual([expect.objectContaining({}), expect.objectContaining({})])
    vi.setSystemTime(now - 15_001)
    expect(await both()).toEqual([null, null])
  })

  it('DEC-02g TOK-018 JW-02 JW-07 return null for anything that decode cannot open', async () => {
    const cases = spread('decode of anything')
    const token = await encode({ secret, salt })
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('.', 'e', '3', '0', '=', '"') }),
      fc
        .tuple(fc.nat(token.length), fc.string({ minLength: 1 }))
        .map(([at, text]) => token.slice(0, at) + text + token.slice(at)),
      fc.constantFrom(undefined, null, 7, {}, [token], Symbol('token'), token.repeat(300)),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (given) => {
        cases.count(
          typeof given === 'string' ? (given.includes('.') ? 'with dots' : 'without dots') : 'no text',
        )
        expect(await decode({ token: given as string, secret, salt })).toBeNull()
      }),
      { numRuns: 300 },
    )
    for (const label of ['with dots', 'without dots', 'no text']) cases.atLeast(label, 20)
    cases.report()
  })

  it.each([undefined, ''])(
    'WIR-031 JW-07 return null without a token (%j), even without a secret',
    async (token) => {
      expect(await decode({ salt, ...(token === undefined ? {} : { token }) })).toBeNull()
    },
  )
})

describe('secrets', () => {
  it('DEC-02b TOK-017 default to AUTH_SECRET, the numbered ones first', async () => {
    vi.stubEnv('AUTH_SECRET', 'old')
    const old = await encode({ salt })
    vi.stubEnv('AUTH_SECRET_1', 'newer')
    const newer = await encode({ salt })
    expect(await decode({ token: old, salt })).not.toBeNull()
    expect(await decode({ token: newer, salt })).not.toBeNull()
    expect(await getToken({ req: bearer(old) })).not.toBeNull()
    expect(await decode({ token: old, secret: 'old', salt })).not.toBeNull()
    expect(await decode({ token: newer, secret: 'newer', salt })).not.toBeNull()
    expect(await decode({ token: newer, secret: 'old', salt })).toBeNull()
  })

  it.each([[undefined], [''], ['   '], [[]], [['']], [['good', ' ']]])(
    'RO-05 JW-11 DEC-26a WIR-031 are rejected: %j',
    async (blank) => {
      const token = await encode({ secret: 'good', salt })
      const given = blank === undefined ? {} : { secret: blank }
      await expect(encode({ ...given, salt })).rejects.toThrow(MissingSecret)
      await expect(decode({ ...given, token, salt })).rejects.toThrow(MissingSecret)
      await expect(getToken({ ...given, req: bearer(token) })).rejects.toThrow(MissingSecret)
      await expect(getToken({ ...given, req: bearer(token), decode: () => null })).rejects.toThrow(
        MissingSecret,
      )
    },
  )

  it('RO-05 JW-11 do not fall back to the environment if the explicit one is blank', async () => {
    vi.stubEnv('AUTH_SECRET', 'good')
    await expect(encode({ secret: '', salt })).rejects.toThrow(MissingSecret)
  })
})

describe('getToken', () => {
  it('TOK-008 TOK-020 reads a Request, Headers and a record of any case', async () => {
    const token = await encode({ token: { sub: 'me' }, secret, salt })
    const cookie = `a=b; ${salt}=${token}; c=d`
    const carriers: GetTokenParams['req'][] = [
      new Request('https://app.example/', { headers: { cookie } }),
      { headers: new Headers({ cookie }) },
      { headers: { cookie } },
      { headers: { Cookie: cookie } },
      { headers: { COOKIE: cookie, get: 'no method' } },
      { headers: { Authorization: `Bearer ${token}` } },
      bearer(token),
    ]
    for (const req of carriers) expect(await getToken({ req, secret })).toMatchObject({ sub: 'me' })
  })

  it('JW-12 WIR-031 TOK-020 prefers the cookie to the bearer token', async () => {
    const [first, second] = [
      await encode({ token: { sub: 'cookie' }, secret, salt }),
      await encode({ token: { sub: 'bearer' }, secret, salt }),
    ]
    const authorization = `Bearer ${second}`
    const both = { headers: { cookie: `${salt}=${first}`, authorization } }
    expect(await getToken({ req: both, secret })).toMatchObject({ sub: 'cookie' })
    const empty = { headers: { cookie: `${salt}=; other=1`, authorization } }
    expect(await getToken({ req: empty, secret })).toMatchObject({ sub: 'bearer' })
    const bad = { headers: { cookie: `${salt}=bad`, authorization } }
    expect(await getToken({ req: bad, secret })).toBeNull()
  })

  it('JW-12 WIR-031 joins the chunks of a cookie, in numeric order', async () => {
    const token = await encode({ token: { sub: 'me', long: 'x'.repeat(9000) }, secret, salt })
    const pieces = [2, 0, 1].map((n) => `${salt}.${n}=${token.slice(n * 5000, (n + 1) * 5000)}`)
    expect(await getToken({ req: { headers: { cookie: pieces.join('; ') } }, raw: true })).toBe(token)
  })

  it.each([
    'bearer x',
    'BEARER x',
    'Bearer',
    'Bearer ',
    'Bearer  x',
    'Basic x',
    'Bearerx',
    'Bearer\tx',
    ' Bearer x',
  ])('WIR-031 JW-12 does not accept %j as a bearer token', async (authorization) => {
    expect(await getToken({ req: { headers: { authorization } }, raw: true })).toBeNull()
  })

  it('WIR-031 JW-07 percent-decodes a bearer token, and returns null if that fails', async () => {
    expect(await getToken({ req: bearer('a%2Eb more'), raw: true })).toBe('a.b')
    expect(await getToken({ req: bearer('%E0%A4'), raw: true })).toBeNull()
    expect(await getToken({ req: bearer('%'), secret })).toBeNull()
  })

  it('WIR-031 LM-11 ignores a bearer token with more than 500 escapes', async () => {
    expect(await getToken({ req: bearer('%41'.repeat(500)), raw: true })).toBe('A'.repeat(500))
    expect(await getToken({ req: bearer('%41'.repeat(501)), raw: true })).toBeNull()
  })

  it('TOK-009 TOK-019 JW-12 returns the exact string with raw, without opening it and without a secret', async () => {
    const req = { headers: { cookie: `${salt}=not.a.token!` } }
    expect(await getToken({ req, raw: true })).toBe('not.a.token!')
    expect(await getToken({ req, raw: false, secret })).toBeNull()
    expect(await getToken({ req: { headers: {} }, raw: true })).toBeNull()
    expect(await getToken({ req: { headers: {} } })).toBeNull()
  })

  it.each([
    [{}, 'authjs.session-token'],
    [{ AUTH_URL: 'http://app.example' }, 'authjs.session-token'],
    [{ AUTH_URL: 'http://a.example', NEXTAUTH_URL: 'https://b.example' }, 'authjs.session-token'],
  ])('TOK-012 DEC-02c JW-12 under %j reads %s, which is the salt as well', async (environment, name) => {
    expect(await nameFound(environment, {})).toBe(name)
  })

  it.each([
    [{ AUTH_URL: 'https://app.example/auth' }, '__Secure-authjs.session-token'],
    [{ AUTH_URL: 'HTTPS://APP.EXAMPLE' }, '__Secure-authjs.session-token'],
    [{ NEXTAUTH_URL: 'https://app.example' }, '__Secure-authjs.session-token'],
  ])('DEC-02c JW-12 under %j reads %s', async (environment, name) => {
    expect(await nameFound(environment, {})).toBe(name)
  })

  it('TOK-011 JW-12 reads the prefixed name with secureCookie', async () => {
    expect(await nameFound({}, { secureCookie: true })).toBe('__Secure-authjs.session-token')
  })

  it('DEC-02d prefers an explicit secureCookie to the environment', async () => {
    const [secure, plain] = [{ AUTH_URL: 'https://app.example' }, { AUTH_URL: 'http://app.example' }]
    expect(await nameFound(secure, { secureCookie: false })).toBe('authjs.session-token')
    expect(await nameFound(plain, { secureCookie: true })).toBe('__Secure-authjs.session-token')
  })

  it('TOK-010 reads exactly the given cookieName', async () => {
    expect(await nameFound({}, { secureCookie: true, cookieName: 'mine' })).toBe('mine')
  })

  it('TOK-013 accepts secrets and salt as decode does', async () => {
    const token = await encode({ secret: 'old', salt: 'other' })
    const params = { req: bearer(token), secret: ['new', 'old'] }
    expect(await getToken({ ...params, salt: 'other' })).not.toBeNull()
    expect(await getToken(params)).toBeNull()
  })

  it('TOK-014 JW-11 accepts a custom decode, and does not fall back to the built-in one', async () => {
    const token = await encode({ token: { sub: 'me' }, secret, salt })
    const refusing = vi.fn<() => null>(() => null)
    expect(await getToken({ req: bearer(token), secret, decode: refusing })).toBeNull()
    expect(refusing).toHaveBeenCalledWith({ token, secret, salt })
    const accepting = { req: bearer('x'), secret: ['a', 'b'], decode: () => ({ sub: 'custom' }) }
    expect(await getToken(accepting)).toEqual({ sub: 'custom' })
  })

  it('TOK-014 TOK-015 JW-07 returns null if decode throws, and logs the error', async () => {
    const logger = { error: vi.fn<(error: Error) => void>(), warn: () => {}, debug: () => {} }
    const fails = () => Promise.reject(new Error('no'))
    expect(await getToken({ req: bearer('x'), secret, decode: fails, logger })).toBeNull()
    expect(logger.error).toHaveBeenCalledWith(expect.any(JWTSessionError))
    expect(await getToken({ req: bearer('x'), secret, decode: fails })).toBeNull()
  })

  it('TOK-015 logs the reason, and no part of the token', async () => {
    const debug = vi.fn<(message: string, metadata?: unknown) => void>()
    const logger = { error: () => {}, warn: () => {}, debug }
    const expired = await forge('{"exp":1}')
    expect(await getToken({ req: bearer(expired), secret, logger })).toBeNull()
    expect(debug.mock.calls).toEqual([['The token was refused', { reason: 'expired' }]])
  })

  it('TOK-015 accepts a console as logger', async () => {
    const debug = vi.spyOn(console, 'debug').mockReturnValue()
    expect(await getToken({ req: bearer('x'), secret, logger: console })).toBeNull()
    expect(debug).toHaveBeenCalledWith('The token was refused', { reason: 'malformed' })
    debug.mockRestore()
  })

  it('JW-07 never throws for any headers', async () => {
    const cases = spread('headers')
    const token = await encode({ secret, salt })
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(' ', '%', ';', '=', '.', ',', '"', 'Bearer', salt, token) }),
      fc.constantFrom(`${salt}=%`, `${salt}.0=${token}`, `${salt}=${token}x`, 'Bearer %ff', undefined, 7, [
        token,
      ]),
    )
    const headers = fc.dictionary(
      fc.constantFrom('cookie', 'authorization', 'Cookie', '__proto__', 'get'),
      text,
    )
    await fc.assert(
      fc.asyncProperty(headers, fc.boolean(), async (record, raw) => {
        const found = await getToken({ req: { headers: record as Record<string, string> }, secret, raw })
        const kind = found === null ? 'null' : typeof found
        cases.count(`${raw ? 'raw ' : ''}${kind}`)
        expect(raw ? ['null', 'string'] : ['null', 'object']).toContain(kind)
      }),
      { numRuns: 500 },
    )
    for (const label of ['null', 'raw string']) cases.atLeast(label, 5)
    cases.report()
  })

  it.each([[undefined], [{}], [{ req: {} }]])(
    'WIR-031 throws for %j, which lacks a request',
    async (params) => {
      await expect(getToken((params ?? {}) as GetTokenParams)).rejects.toThrow('Must pass `req`')
    },
  )
})

it('TOK-019 has a type that depends on raw, and an augmentable JWT', () => {
  const req = { headers: {} }
  expectTypeOf(getToken({ req })).resolves.toEqualTypeOf<JWT | null>()
  expectTypeOf(getToken({ req, raw: true })).resolves.toEqualTypeOf<string | null>()
  expectTypeOf<JWT['roleOfAugmentation']>().toEqualTypeOf<'admin' | undefined>()
  expectTypeOf(decode<{ a: 1 }>).returns.resolves.toEqualTypeOf<{ a: 1 } | null>()
})

/** Returns which of three tokens getToken finds. Each is sealed with its cookie name as salt. */
async function nameFound(
  environment: Record<string, string>,
  options: Pick<GetTokenParams, 'secureCookie' | 'cookieName'>,
): Promise<unknown> {
  for (const [key, value] of Object.entries(environment)) vi.stubEnv(key, value)
  const names = ['authjs.session-token', '__Secure-authjs.session-token', 'mine']
  const cookies = await Promise.all(
    names.map(async (name) => `${name}=${await encode({ token: { sub: name }, secret, salt: name })}`),
  )
  return (await getToken({ req: { headers: { cookie: cookies.join('; ') } }, secret, ...options }))?.sub
}

function bearer(token: string) {
  return { headers: { authorization: `Bearer ${token}` } }
}
